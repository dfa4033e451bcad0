import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_IN_FLIGHT_PER_MERCHANT } from '#server/callbacks/queue/claim.ts';
import { Client, createMerchants, inLanes, invoiceBody } from './client.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import type { FaultyGateway } from './gateway.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Figures } from './report.ts';

const HOUR_MS = 3_600_000;
const NOWHERE = 'http://127.0.0.1:9/callback';

/** The connection to PostgreSQL breaks after COMMIT was sent: the answer to a create is lost. */
export async function lostAnswers(gateway: FaultyGateway, cuts: number): Promise<Figures> {
  const proxy = await startCuttingProxy(Number(new URL(gateway.url).port));
  try {
    return await loseAnswers(gateway, proxy, cuts);
  } finally {
    await proxy.close();
  }
}

async function loseAnswers(
  gateway: FaultyGateway,
  proxy: CuttingProxy,
  cuts: number,
): Promise<Figures> {
  await gateway.killPart('web');
  gateway.startPart('web', proxy.port);
  await gateway.untilHealthy();
  const [merchant] = await createMerchants(gateway, 1);
  if (!merchant) throw new Error('no merchant');
  const client = new Client(gateway, merchant);
  const retries = { replayed: 0, refused: 0, other: 0 };
  let faults = 0;
  for (let i = 0; i < cuts; i++) {
    const body = invoiceBody(`cut-${i}`, Date.now() + HOUR_MS, NOWHERE);
    const key = i % 2 === 0 ? `cut-${i}` : undefined;
    const send = () => client.once('POST', '/invoice/create', body, key);
    proxy.arm('create_invoice');
    const lost = await send();
    if (lost?.status === 500) faults += 1;
    const again = await client.until(send);
    if (again.status === 200 && key) retries.replayed += 1;
    else if (again.status === 409 && !key) retries.refused += 1;
    else retries.other += 1;
    const found = await client.until(() =>
      client.once('GET', `/invoice/status?merchant_transaction_id=cut-${i}`),
    );
    if (found.status !== 200) retries.other += 1;
  }
  const [row] = await gateway.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM invoices WHERE merchant_transaction_id LIKE 'cut-%'",
  );
  await gateway.killPart('web');
  gateway.startPart('web');
  await gateway.untilHealthy();
  const cut = proxy.cuts();
  return {
    title: `connection cut after COMMIT, ${cuts} times`,
    findings: [
      ['every create was cut after its commit', cut === cuts && faults === cuts],
      ['never a second invoice', row?.n === cuts],
      ['every retry was answered by 409 or by the replay', retries.other === 0],
    ],
    figures: { replays: String(retries.replayed), '409': String(retries.refused) },
  };
}

/** The worker is back when it listens to PostgreSQL again; Node starts slowly on a busy machine. */
async function untilWorkerIsBack(gateway: FaultyGateway): Promise<void> {
  const listening = () =>
    gateway.query(
      "SELECT 1 AS one FROM pg_stat_activity WHERE application_name = 'payment-gateway listener' AND query LIKE 'LISTEN \"callback_due%'",
    );
  const deadline = Date.now() + 60_000;
  while ((await listening()).length === 0) {
    if (Date.now() > deadline) throw new Error('the worker does not come back');
    await sleep(20);
  }
}

/** This is far longer than a check takes. */
const STALL_MS = 500;

/** The worker is killed when many invoices end together. */
export async function endTogether(gateway: FaultyGateway, invoices: number): Promise<Figures> {
  const [merchant] = await createMerchants(gateway, 1);
  if (!merchant) throw new Error('no merchant');
  const client = new Client(gateway, merchant);
  const items = Array.from({ length: invoices }, (_, i) => `end-${i}`);
  await inLanes(items, 32, async (transactionId) => {
    await client.create(transactionId, () => Date.now() + HOUR_MS, NOWHERE);
  });
  // The end is set after the creates: one set before could come too soon.
  const endMs = Date.now() + 2_000;
  const pending = await gateway.query(
    `UPDATE invoices SET end_date = $1
     WHERE merchant_transaction_id LIKE 'end-%' AND status = 'PENDING' RETURNING id`,
    [new Date(endMs)],
  );
  await sleep(Math.max(0, endMs - Date.now()));
  await gateway.killPart('worker');
  await sleep(1_000);
  gateway.startPart('worker');
  await untilWorkerIsBack(gateway);
  const count = async (where: string) => {
    const [row] = await gateway.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM invoices WHERE merchant_transaction_id LIKE 'end-%' AND ${where}`,
    );
    return row?.n ?? -1;
  };
  let tookMs = 0;
  for (let isOver = false; !isOver && tookMs < 20_000; ) {
    const lookedMs = performance.now();
    isOver = (await count("status = 'PENDING'")) === 0;
    if (!isOver) await sleep(50);
    // A machine's stall between two checks does not count as the worker's time.
    tookMs += Math.min(performance.now() - lookedMs, STALL_MS);
  }
  const expired = await count("status = 'EXPIRED'");
  const early = await count('status_changed_at <= end_date AND status_changed_at <> created_at');
  return {
    title: `${invoices} invoices end together, the worker killed at that moment`,
    findings: [
      ['all were created before', pending.length === invoices],
      ['all are EXPIRED within 5 s of its return', expired === invoices && tookMs <= 5_000],
      ['none was early', early === 0],
    ],
    figures: { 'return to all EXPIRED': `${(tookMs / 1000).toFixed(2)} s` },
  };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** One merchant's server takes 15 s for each answer in production; the others must not notice. */
export async function oneHangs(
  gateway: FaultyGateway,
  { merchants: count, each, p95LimitMs }: { merchants: number; each: number; p95LimitMs: number },
): Promise<Figures> {
  const hanging = await startReceiver(() => ({ hangMs: 15_000 }));
  const healthy = await startReceiver(() => 'accept');
  try {
    return await besideOneThatHangs(gateway, { count, each, p95LimitMs, hanging, healthy });
  } finally {
    await Promise.all([hanging.close(), healthy.close()]);
  }
}

type Besides = {
  count: number;
  each: number;
  p95LimitMs: number;
  hanging: Receiver;
  healthy: Receiver;
};

async function besideOneThatHangs(
  gateway: FaultyGateway,
  { count, each, p95LimitMs, hanging, healthy }: Besides,
): Promise<Figures> {
  const merchants = await createMerchants(gateway, count);
  const dueMs = new Map<string, number>();
  const work = merchants.flatMap((merchant, index) =>
    Array.from({ length: each }, (_, i) => ({ merchant, index, i })),
  );
  // The hanging merchant's callbacks come first, so that they exist when the others' are due.
  await inLanes(work, 16, async ({ merchant, index, i }) => {
    const client = new Client(gateway, merchant, 'production');
    const url = index === 0 ? hanging.url : healthy.url;
    const id = await client.create(`hang-${index}-${i}`, () => Date.now() + HOUR_MS, url);
    const startMs = Date.now();
    await client.until(() => client.once('POST', '/invoice/cancel', { invoice_id: id }));
    if (index > 0) dueMs.set(id, startMs);
  });
  const deadline = Date.now() + 30_000;
  const missing = () => [...dueMs.keys()].filter((id) => !healthy.arrivals.has(id)).length;
  while (missing() > 0 && Date.now() < deadline) await sleep(50);
  const latenesses = [...dueMs]
    .map(
      ([id, startMs]) => (healthy.arrivals.get(id)?.atMs[0] ?? Number.POSITIVE_INFINITY) - startMs,
    )
    .sort((a, b) => a - b);
  const p95Ms = percentile(latenesses, 0.95);
  return {
    title: `one of ${count} merchants hangs for 15 s an answer`,
    findings: [
      [`the others’ first attempts stay under ${p95LimitMs / 1000} s at p95`, p95Ms < p95LimitMs],
      ['every healthy merchant was told', missing() === 0],
      [
        `the one that hangs got ${MAX_IN_FLIGHT_PER_MERCHANT} requests at a time, and never more`,
        hanging.mostOpen() === MAX_IN_FLIGHT_PER_MERCHANT,
      ],
    ],
    figures: {
      'p50 of the others': `${percentile(latenesses, 0.5)} ms`,
      p95: `${p95Ms} ms`,
      max: `${latenesses.at(-1)} ms`,
    },
  };
}
