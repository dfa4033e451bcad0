// The load generator: a process of its own that is told by message what to send.
import { randomBytes } from 'node:crypto';
import { LoadConnection } from './load-connection.ts';

export type LoadJob = {
  kind: 'create' | 'status';
  port: number;
  connections: number;
  durationMs: number;
  headers: { [name: string]: string };
  /** For status: the invoices to ask for. */
  invoiceIds: string[];
};

export type LoadResult = {
  requests: number;
  durationMs: number;
  p50Ms: number;
  p99Ms: number;
  /** Of creates: some of the ids that came back. */
  invoiceIds: string[];
};

const KEPT_IDS = 2_000;
const RUN = randomBytes(6).toString('hex');
let count = 0;

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

function requestText({ kind, headers, invoiceIds }: LoadJob): () => string {
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const common = `host: localhost\r\n${fields}`;
  if (kind === 'create') {
    return () => {
      const body = createBody();
      return `POST /api/sandbox/invoice/create HTTP/1.1\r\n${common}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    };
  }
  let next = 0;
  return () => {
    next = (next + 1) % invoiceIds.length;
    return `GET /api/sandbox/invoice/status?invoice_id=${invoiceIds[next]} HTTP/1.1\r\n${common}\r\n`;
  };
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function run(job: LoadJob): Promise<LoadResult> {
  const next = requestText(job);
  const latenciesMs: number[] = [];
  const invoiceIds: string[] = [];
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => LoadConnection.open(job.port)),
  );
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + job.durationMs;
  const loop = async (connection: LoadConnection) => {
    for (let nowMs = performance.now(); nowMs < endsAtMs; ) {
      const { status, body } = await connection.send(next());
      if (status !== 200) throw new Error(`${job.kind} was answered ${status}: ${body}`);
      const sentAtMs = nowMs;
      nowMs = performance.now();
      latenciesMs.push(nowMs - sentAtMs);
      if (job.kind === 'create' && invoiceIds.length < KEPT_IDS) {
        invoiceIds.push(JSON.parse(body).data.invoice_id);
      }
    }
  };
  await Promise.all(connections.map(loop));
  const durationMs = performance.now() - startedAtMs;
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    requests: latenciesMs.length,
    durationMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    invoiceIds,
  };
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
