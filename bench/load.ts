// The load generator: a separate process that gets its jobs by message.
import { randomBytes } from 'node:crypto';
import { LoadConnection } from './load-connection.ts';

export type LoadJob = {
  kind: 'create' | 'status' | 'refund';
  port: number;
  connections: number;
  /** The longest duration; the message 'finish' ends the job earlier. */
  durationMs: number;
  /**
   * Requests a second that become due whether or not earlier ones were answered; latency counts
   * from each due time. Without it each connection sends its next request after the previous
   * answer.
   */
  perSecond?: number;
  headers: { [name: string]: string };
  /** For status: the invoices to ask for; for refund: those paid, of which each gives a little back. */
  invoiceIds: string[];
};

export type LoadResult = {
  requests: number;
  durationMs: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  maxMs: number;
};

const TICK_MS = 1;
const RUN = randomBytes(6).toString('hex');
let count = 0;
let isToldToFinish = false;

function createBody(): string {
  count += 1;
  return JSON.stringify({
    amount: 4200,
    currency: 'USD',
    description: 'Order of two tickets and a programme',
    end_date: Date.now() + 86_400_000,
    positions: [
      { title: 'Ticket, stalls, row 7', amount: 3800, currency: 'USD' },
      { title: 'Programme', amount: 400, currency: 'USD' },
    ],
    merchant_transaction_id: `order-${RUN}-${count}`,
    success_url: 'https://shop.example/orders/paid',
    error_url: 'https://shop.example/orders/not-paid',
    callback_url: 'https://shop.example/gateway/callback',
    merchant_data: { cart: 'c-7719', customer: 42, source: 'web' },
  });
}

function refundBody(invoiceIds: readonly string[]): string {
  count += 1;
  return JSON.stringify({
    invoice_id: invoiceIds[count % invoiceIds.length],
    refund_transaction_id: `refund-${RUN}-${count}`,
    amount: 1,
    reason: 'A programme that was sold out',
  });
}

function requestTexts({ kind, headers, invoiceIds }: LoadJob): () => string | Buffer {
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const common = `host: localhost\r\n${fields}`;
  if (kind !== 'status') {
    return () => {
      const body = kind === 'create' ? createBody() : refundBody(invoiceIds);
      return `POST /api/sandbox/invoice/${kind} HTTP/1.1\r\n${common}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
  }
  const texts = invoiceIds.map((id) =>
    Buffer.from(
      `GET /api/sandbox/invoice/status?invoice_id=${id} HTTP/1.1\r\n${common}\r\n`,
      'latin1',
    ),
  );
  let next = 0;
  return () => {
    next = (next + 1) % texts.length;
    return texts[next] ?? '';
  };
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The requests to send, and the time that each took. */
type Source = { text(): string | Buffer; latenciesMs: number[]; kind: string };

function sendOne(connection: LoadConnection, source: Source, dueMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send(
      source.text(),
      ({ status, bytes }) => {
        if (status !== 200) {
          reject(new Error(`${source.kind} was answered ${status}: ${bytes.toString('utf8')}`));
          return;
        }
        source.latenciesMs.push(performance.now() - dueMs);
        resolve();
      },
      reject,
    );
  });
}

/** Each connection sends its next request after the previous answer. */
async function closedLoop(connections: LoadConnection[], source: Source, endsAtMs: number) {
  const loop = async (connection: LoadConnection) => {
    for (let nowMs = performance.now(); nowMs < endsAtMs; nowMs = performance.now()) {
      if (isToldToFinish) return;
      await sendOne(connection, source, nowMs);
    }
  };
  await Promise.all(connections.map(loop));
}

/** Requests become due at a fixed rate; a wait for a free connection counts. */
async function openLoop(
  connections: LoadConnection[],
  source: Source,
  { perSecond, durationMs }: { perSecond: number; durationMs: number },
) {
  const free = [...connections];
  const waitingMs: number[] = [];
  const sent: Promise<void>[] = [];
  const total = Math.floor((perSecond * durationMs) / 1000);
  const startMs = performance.now();
  const use = async (connection: LoadConnection, firstMs: number) => {
    for (let dueMs: number | undefined = firstMs; dueMs !== undefined; dueMs = waitingMs.shift()) {
      await sendOne(connection, source, dueMs);
    }
    free.push(connection);
  };
  for (let index = 0; index < total; ) {
    const nowMs = performance.now();
    for (let dueMs = startMs; index < total; index++) {
      dueMs = startMs + (index * 1000) / perSecond;
      if (dueMs > nowMs) break;
      const connection = free.pop();
      if (connection) sent.push(use(connection, dueMs));
      else waitingMs.push(dueMs);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(sent);
}

async function run(job: LoadJob): Promise<LoadResult> {
  const source: Source = { text: requestTexts(job), latenciesMs: [], kind: job.kind };
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => LoadConnection.open(job.port)),
  );
  const startedAtMs = performance.now();
  const { perSecond, durationMs: jobMs } = job;
  await (perSecond === undefined
    ? closedLoop(connections, source, startedAtMs + jobMs)
    : openLoop(connections, source, { perSecond, durationMs: jobMs }));
  const durationMs = performance.now() - startedAtMs;
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(source.latenciesMs).sort();
  return {
    requests: sorted.length,
    durationMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    p999Ms: percentile(sorted, 0.999),
    maxMs: sorted.at(-1) ?? Number.NaN,
  };
}

process.on('message', (job: LoadJob | 'finish') => {
  isToldToFinish = job === 'finish';
  if (job === 'finish') return;
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
