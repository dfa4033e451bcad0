import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENTS, type Environment } from '#server/merchants/types.ts';
import { booksDisagree } from '#server/testing/payments.ts';
import { type Answer, Client, createMerchants, inLanes } from './client.ts';
import type { FaultyGateway } from './gateway.ts';
import { Random } from './random.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Figures, Finding } from './report.ts';

export type StormSize = { invoices: number; kills: number; databaseCrashes: number };

const FAILING_SHARE = 0.08;
const FAULT_EVERY_MS = 2_000;
const SETTLE_WITHIN_MS = 60_000;
const LANES = 32;
const HOUR_MS = 3_600_000;
const SHORT_LIFE_MS = 20_000;

type Fate = 'pay' | 'cancel' | 'expire';
const FATES: readonly Fate[] = [
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

type Plan = { fate: Fate; environment: Environment };

/** An invoice's course and environment: production, which has no acquirer, takes no payment. */
function planInvoice(random: Random): Plan {
  const fate = random.pick(FATES);
  return { fate, environment: fate === 'pay' ? 'sandbox' : random.pick(ENVIRONMENTS) };
}

/** A passing 409: a payment is being completed. */
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

type Fault = { afterMs: number; victim: 'web' | 'worker' | 'postgres' };

/** The deaths and their times, all drawn in advance: the course of events does not change them. */
export function planFaults({ kills, databaseCrashes }: StormSize, random: Random): Fault[] {
  const victims: Fault['victim'][] = [
    ...Array.from({ length: kills }, () => random.pick(['web', 'worker'] as const)),
    ...Array.from({ length: databaseCrashes }, () => 'postgres' as const),
  ];
  return victims
    .map((victim) => ({ victim, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ victim }) => ({ victim, afterMs: FAULT_EVERY_MS * (0.5 + random.next()) }));
}

/** Resolves after the last fault, or when no process is left to suffer them. */
export async function causeFaults(
  gateway: FaultyGateway,
  faults: readonly Fault[],
  { signal }: AbortController,
): Promise<void> {
  for (const { victim, afterMs } of faults) {
    await sleep(afterMs);
    if (signal.aborted) return;
    if (victim === 'postgres') {
      await gateway.crashPostgres();
    } else {
      await gateway.killPart(victim);
      gateway.startPart(victim);
    }
  }
}

/** The wrong facts at the end; all 0 once everything has settled. */
type Unsettled = {
  pending: number;
  /** The status is final, but was never sent to the merchant's server, accepted or not. */
  unsent: number;
  /** The merchant's server accepted it whenever it came, but no row says so. */
  unrecorded: number;
  /** An attempt failed, and was not repeated in time. */
  overdue: number;
};

// A killed worker leaves leases: nobody knows what it sent until they run out.
const NOT_DELIVERED = `
  SELECT invoice_id AS id, next_attempt_at < now() - interval '1 second' AS overdue
  FROM callbacks WHERE state <> 'delivered'`;

async function findUnsettled(
  gateway: FaultyGateway,
  ids: readonly string[],
  seen: { isSent: (id: string) => boolean; isAccepted: (id: string) => boolean },
): Promise<Unsettled> {
  const [row] = await gateway.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM invoices WHERE status = 'PENDING'",
  );
  const open = await gateway.query<{ id: string; overdue: boolean }>(NOT_DELIVERED);
  return {
    pending: row?.n ?? -1,
    unsent: ids.filter((id) => !seen.isSent(id)).length,
    unrecorded: open.filter(({ id }) => seen.isAccepted(id)).length,
    overdue: open.filter(({ overdue }) => overdue).length,
  };
}

/**
 * Invoices are paid, cancelled or expire while processes are killed with -9, PostgreSQL is stopped
 * as by `-m immediate`, and the merchant's server fails.
 */
export async function storm(
  gateway: FaultyGateway,
  size: StormSize,
  seed: number,
): Promise<Figures> {
  const receiver = await startReceiver((transactionId, nth) =>
    Random.of(seed, `${transactionId} ${nth}`).next() < FAILING_SHARE ? 'fail' : 'accept',
  );
  try {
    return await weather(gateway, size, { seed, receiver });
  } finally {
    await receiver.close();
  }
}

async function weather(
  gateway: FaultyGateway,
  size: StormSize,
  { seed, receiver }: { seed: number; receiver: Receiver },
): Promise<Figures> {
  const random = new Random(seed);
  const merchants = await createMerchants(gateway, 10);
  const fates = new Map<string, Fate>();
  const plan = Array.from({ length: size.invoices }, () => planInvoice(random));
  const faults = planFaults(size, random);
  const durationMs = (size.kills + size.databaseCrashes) * FAULT_EVERY_MS;
  const startMs = Date.now();

  const work = inLanes(plan, LANES, async ({ fate, environment }, index) => {
    const waitMs = startMs + (index / plan.length) * durationMs - Date.now();
    if (waitMs > 0) await sleep(waitMs);
    const merchant = merchants[index % merchants.length];
    if (!merchant) throw new Error('no merchant');
    const client = new Client(gateway, merchant, environment);
    const lifeMs = fate === 'expire' ? SHORT_LIFE_MS : HOUR_MS;
    const id = await client.create(`storm-${index}`, () => Date.now() + lifeMs, receiver.url);
    fates.set(id, fate);
    await bringAbout(client, fate, id);
  });
  const over = new AbortController();
  const faultsOver = causeFaults(gateway, faults, over);
  try {
    await Promise.all([faultsOver, work]);
  } catch (error) {
    over.abort();
    // A fault under way still starts a process again.
    await faultsOver.catch(() => undefined);
    throw error;
  }
  const calmMs = Date.now();
  await gateway.untilHealthy();

  const ids = [...fates.keys()];
  const isSent = (id: string) => {
    const code = CODES[FINAL[fates.get(id) ?? 'pay']];
    return code !== undefined && receiver.arrivals.get(id)?.statuses.has(code) === true;
  };
  // A callback accepted without the worker's knowledge came again, and may have failed then.
  const isAccepted = (id: string) => {
    const arrived = receiver.arrivals.get(id);
    return arrived !== undefined && arrived.accepted === arrived.atMs.length;
  };
  const look = () => findUnsettled(gateway, ids, { isSent, isAccepted });
  const deadlineMs = calmMs + SETTLE_WITHIN_MS;
  let unsettled = await look();
  while (Object.values(unsettled).some((n) => n !== 0) && Date.now() < deadlineMs) {
    await sleep(250);
    unsettled = await look();
  }
  const settledMs = Date.now() - calmMs;
  const findings = await judge(gateway, { ids, fates, unsettled, arrivals: receiver.arrivals });
  const arrivals = [...receiver.arrivals.values()];
  const repeated = arrivals.reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0);
  const duplicateShare = repeated / Math.max(1, ids.length);
  findings.push(['duplicates under 5 %', duplicateShare < 0.05]);
  findings.push(['no process ended but by a kill', gateway.endedAlone.length === 0]);
  return {
    title: `${size.invoices} invoices, ${size.kills} × kill -9, ${size.databaseCrashes} × PostgreSQL stopped immediately, receiver failing 8 %`,
    findings,
    figures: {
      'last fault to all settled': `${(settledMs / 1000).toFixed(1)} s`,
      'not sent': String(unsettled.unsent),
      'refused so far': String(arrivals.filter(({ accepted }) => accepted === 0).length),
      duplicates: `${(duplicateShare * 100).toFixed(2)} %`,
    },
  };
}

async function judge(
  gateway: FaultyGateway,
  seen: {
    ids: string[];
    fates: Map<string, Fate>;
    unsettled: Unsettled;
    arrivals: Receiver['arrivals'];
  },
): Promise<Finding[]> {
  const { ids, fates, unsettled, arrivals } = seen;
  const statuses = await gateway.query<{ id: string; status: string }>(
    "SELECT id, status::text FROM invoices WHERE merchant_transaction_id LIKE 'storm-%'",
  );
  const wrong = statuses.filter(({ id, status }) => FINAL[fates.get(id) ?? 'pay'] !== status);
  const contradicted = await gateway.query(
    `SELECT i.id FROM invoices i
     LEFT JOIN invoice_events e ON e.invoice_id = i.id
     LEFT JOIN callbacks c ON c.invoice_id = i.id AND c.kind = 'notification'
     WHERE e.to_status IS DISTINCT FROM i.status OR c.invoice_status IS DISTINCT FROM i.status`,
  );
  const books = await gateway.withDatabase(booksDisagree);
  const exhausted = await gateway.query(
    "SELECT invoice_id FROM callbacks WHERE state = 'exhausted'",
  );
  const miscounted = await gateway.query(
    `SELECT c.invoice_id FROM callbacks c WHERE c.attempt_count <>
       (SELECT count(*) FROM callback_attempts a WHERE a.callback_id = c.id)`,
  );
  const mixed = ids.filter((id) => {
    const one = arrivals.get(id);
    return one && (one.statuses.size !== 1 || one.webhookIds.size !== 1);
  });
  return [
    ['every create made exactly one invoice', statuses.length === ids.length],
    ['every invoice has the final status that it was brought to', wrong.length === 0],
    ['history and notification have the status of their invoice', contradicted.length === 0],
    [
      'every invoice is final and its notification was sent within 60 s',
      unsettled.pending + unsettled.unsent === 0,
    ],
    ['no notification told another status or had another id', mixed.length === 0],
    ['every notification that was accepted is recorded as delivered', unsettled.unrecorded === 0],
    ['every other is tried again at its time', exhausted.length + unsettled.overdue === 0],
    ['every attempt that is recorded is counted once', miscounted.length === 0],
    ['ledger and invoices agree', books.length === 0],
  ];
}
