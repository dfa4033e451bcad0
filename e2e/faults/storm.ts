import { setTimeout as sleep } from 'node:timers/promises';
import { booksDisagree } from '#server/testing/payments.ts';
import { type Answer, Client, createMerchants, inLanes } from './client.ts';
import type { FaultyGateway } from './gateway.ts';
import type { Random } from './random.ts';
import { startReceiver } from './receiver.ts';
import type { Figures, Finding } from './report.ts';

export type StormSize = { invoices: number; kills: number; databaseCrashes: number };

const FAILING_SHARE = 0.08;
const FAULT_EVERY_MS = 2_000;
const SETTLE_WITHIN_MS = 60_000;
const LANES = 32;
const HOUR_MS = 3_600_000;
const SHORT_LIFE_MS = 20_000;

type Fate = 'pay' | 'cancel' | 'expire';
const FATES: readonly [Fate, ...Fate[]] = [
  'pay',
  'pay',
  'pay',
  'pay',
  'cancel',
  'cancel',
  'cancel',
  'expire',
  'expire',
  'expire',
];
const FINAL: Record<Fate, string> = { pay: 'PAID', cancel: 'CANCELED', expire: 'EXPIRED' };
const CODES: Record<string, number> = { PAID: 2, EXPIRED: 3, CANCELED: 4 };

/** A 409 that passes: a payment is being completed. */
const passes = ({ status, text }: Answer) =>
  status === 409 && text.includes('a payment is being completed');

async function bringAbout(client: Client, fate: Fate, invoiceId: string): Promise<void> {
  if (fate === 'expire') return;
  const path = fate === 'pay' ? '/test/invoice/pay' : '/invoice/cancel';
  await client.until(
    () => client.once('POST', path, { invoice_id: invoiceId }),
    (answer) => {
      if (passes(answer)) return false;
      if (fate === 'cancel') return answer.status === 200;
      return answer.text.includes('already PAID') || answer.body.data?.status === 2;
    },
  );
}

async function causeFaults(
  gateway: FaultyGateway,
  { kills, databaseCrashes }: StormSize,
  random: Random,
): Promise<number> {
  const faults: ('kill' | 'crash')[] = [
    ...Array.from({ length: kills }, () => 'kill' as const),
    ...Array.from({ length: databaseCrashes }, () => 'crash' as const),
  ];
  const ordered = faults.map((fault) => ({ fault, at: random.next() })).sort((a, b) => a.at - b.at);
  for (const { fault } of ordered) {
    await sleep(FAULT_EVERY_MS * (0.5 + random.next()));
    if (fault === 'crash') {
      await gateway.crashPostgres();
    } else {
      const part = random.pick(['web', 'worker'] as const);
      await gateway.killPart(part);
      gateway.startPart(part);
    }
  }
  return Date.now();
}

type Settled = { pending: number; unnotified: number };

async function untilSettled(
  gateway: FaultyGateway,
  isNotified: (invoiceId: string) => boolean,
  ids: readonly string[],
  deadlineMs: number,
): Promise<Settled> {
  for (;;) {
    const [row] = await gateway.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM invoices WHERE status = 'PENDING'",
    );
    const settled = {
      pending: row?.n ?? -1,
      unnotified: ids.filter((id) => !isNotified(id)).length,
    };
    if (settled.pending === 0 && settled.unnotified === 0) return settled;
    if (Date.now() > deadlineMs) return settled;
    await sleep(250);
  }
}

/**
 * Invoices are paid, cancelled or expire while processes are killed with -9 and
 * PostgreSQL is stopped as by `-m immediate`, and the merchant's server fails.
 */
export async function storm(
  gateway: FaultyGateway,
  size: StormSize,
  random: Random,
): Promise<Figures> {
  const receiver = await startReceiver(() => (random.next() < FAILING_SHARE ? 'fail' : 'accept'));
  const merchants = await createMerchants(gateway, 10);
  const clients = merchants.map((merchant) => new Client(gateway, merchant));
  const fates = new Map<string, Fate>();
  const plan = Array.from({ length: size.invoices }, () => random.pick(FATES));
  const durationMs = (size.kills + size.databaseCrashes) * FAULT_EVERY_MS;
  const startMs = Date.now();

  const work = inLanes(plan, LANES, async (fate, index) => {
    const waitMs = startMs + (index / plan.length) * durationMs - Date.now();
    if (waitMs > 0) await sleep(waitMs);
    const client = clients[index % clients.length];
    if (!client) throw new Error('no client');
    const lifeMs = fate === 'expire' ? SHORT_LIFE_MS : HOUR_MS;
    const id = await client.create(`storm-${index}`, () => Date.now() + lifeMs, receiver.url);
    fates.set(id, fate);
    await bringAbout(client, fate, id);
  });
  const lastFaultMs = await causeFaults(gateway, size, random);
  await work;
  const lastEventMs = Math.max(lastFaultMs, Date.now());
  await gateway.untilHealthy();

  const ids = [...fates.keys()];
  const right = (id: string) => {
    const arrived = receiver.arrivals.get(id);
    const fate = fates.get(id);
    return (
      arrived !== undefined && fate !== undefined && arrived.statuses.has(CODES[FINAL[fate]] ?? 0)
    );
  };
  const deadlineMs = lastEventMs + SETTLE_WITHIN_MS;
  const settled = await untilSettled(gateway, right, ids, deadlineMs);
  const settledMs = Date.now() - lastEventMs;
  const findings = await judge(gateway, { ids, fates, settled, arrivals: receiver.arrivals });
  const arrivals = [...receiver.arrivals.values()];
  const repeated = arrivals.reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0);
  const duplicateShare = repeated / Math.max(1, ids.length);
  findings.push(['duplicates under 5 %', duplicateShare < 0.05]);
  await receiver.close();
  return {
    title: `${size.invoices} invoices, ${size.kills} × kill -9, ${size.databaseCrashes} × PostgreSQL stopped immediately, receiver failing 8 %`,
    findings,
    figures: {
      'last fault to all settled': `${(settledMs / 1000).toFixed(1)} s`,
      'not notified': String(settled.unnotified),
      duplicates: `${(duplicateShare * 100).toFixed(2)} %`,
    },
  };
}

type Arrived = Awaited<ReturnType<typeof startReceiver>>['arrivals'];

async function judge(
  gateway: FaultyGateway,
  seen: { ids: string[]; fates: Map<string, Fate>; settled: Settled; arrivals: Arrived },
): Promise<Finding[]> {
  const { ids, fates, settled, arrivals } = seen;
  const statuses = await gateway.query<{ id: string; status: string }>(
    "SELECT id, status::text FROM invoices WHERE merchant_transaction_id LIKE 'storm-%'",
  );
  const wrong = statuses.filter(({ id, status }) => FINAL[fates.get(id) ?? 'pay'] !== status);
  const twoFinal = await gateway.query(
    'SELECT invoice_id FROM invoice_events GROUP BY 1 HAVING count(*) > 1',
  );
  const books = await gateway.withDatabase(booksDisagree);
  const stray = await gateway.query(
    `SELECT i.id FROM invoices i LEFT JOIN callbacks c ON c.invoice_id = i.id AND c.invoice_status = i.status
     WHERE c.invoice_id IS NULL OR (c.state = 'pending' AND c.next_attempt_at IS NULL) OR c.state = 'exhausted'`,
  );
  const mixed = ids.filter((id) => {
    const one = arrivals.get(id);
    return one && (one.statuses.size !== 1 || one.webhookIds.size !== 1);
  });
  return [
    ['every create made exactly one invoice', statuses.length === ids.length],
    ['every invoice has the final status that it was brought to', wrong.length === 0],
    ['no invoice has two final statuses', twoFinal.length === 0],
    [
      'every invoice is final and was notified of it within 60 s',
      settled.pending + settled.unnotified === 0,
    ],
    ['no notification told another status or had another id', mixed.length === 0],
    ['every notification is delivered or on schedule', stray.length === 0],
    ['ledger and invoices agree', books.length === 0],
  ];
}
