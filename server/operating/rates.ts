import type { Pool } from 'pg';
import { idBefore } from '../lib/ids.ts';
import type { Environment } from '../merchants/types.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const WEEK_MS = 7 * 24 * HOUR_MS;
// The newest are counted: the oldest of a week are left out where there are more.
const MOST = 300_000;
const FRESH_MS = 60_000;

/** How many went well and how many did not, within a day and within a week. */
export type Rate = { day: Outcomes; week: Outcomes };
export type Outcomes = { good: number; bad: number };

/** What became of payments at an account, or at the sandbox's own card form (null), in 24 hours. */
export type AccountResults = {
  provider: string;
  accountId: string | null;
  merchantId: string;
  /** Captured against declined or failed. */
  approval: Rate;
  declined: number;
  /** Those that ended in an error, and those of which nobody knows the end yet. */
  failed: number;
  unknown: number;
  /** From the try to the payment; null where there was none. */
  medianMs: number | null;
};

export type MerchantRates = {
  approval: Rate;
  /** Callbacks of invoices made in that time: those delivered, against those only tried in vain. */
  delivery: Rate;
  /** Payments by the hour of their try, the oldest of 24 hours first. */
  hours: number[];
};

export type Rates = {
  merchants: Map<string, MerchantRates>;
  accounts: AccountResults[];
  /** The median time of each acquirer's payments in 24 hours, by its name. */
  mediansMs: Map<string, number>;
  /** When it was counted. */
  at: Date;
};

type AttemptRow = {
  merchant_id: string;
  provider: string;
  account_id: string | null;
  hours_ago: number;
  captured: number;
  declined: number;
  failed: number;
  open: number;
};

// $1 and $2 bound the ids, which tell the time, $3 the environment, $4 now. A buyer who left, and a
// payment that came too late, say nothing of the acquirer.
const ATTEMPTS = `
  SELECT i.merchant_id, p.provider, p.account_id,
         least(floor(extract(epoch FROM $4::timestamptz - p.created_at) / 3600), ${DAY_HOURS})::int AS hours_ago,
         count(*) FILTER (WHERE p.status = 'captured')::int AS captured,
         count(*) FILTER (WHERE p.status = 'declined')::int AS declined,
         count(*) FILTER (WHERE p.status = 'failed')::int AS failed,
         count(*) FILTER (WHERE p.status IN ('authorising', 'capturing', 'voiding'))::int AS open
  FROM (SELECT id, invoice_id, status, provider, account_id, created_at FROM payment_attempts
        WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT ${MOST}) p
  JOIN invoices i ON i.id = p.invoice_id
  WHERE i.environment = $3::environment
  GROUP BY 1, 2, 3, 4`;

// Medians of the day's tries, by account and by acquirer; those by acquirer have no merchant.
const MEDIANS = `
  SELECT p.provider, p.account_id, i.merchant_id,
         percentile_cont(0.5) WITHIN GROUP (
           ORDER BY extract(epoch FROM i.status_changed_at - p.created_at) * 1000)::float8 AS median_ms
  FROM (SELECT id, invoice_id, status, provider, account_id, created_at FROM payment_attempts
        WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT ${MOST}) p
  JOIN invoices i ON i.id = p.invoice_id
  WHERE i.environment = $3::environment AND p.status = 'captured' AND i.status = 'PAID'
  GROUP BY GROUPING SETS ((1, 2, 3), (1))`;

type CallbackRow = { merchant_id: string; is_day: boolean; good: number; bad: number };

const CALLBACKS = `
  SELECT merchant_id, id >= $4 AS is_day,
         count(*) FILTER (WHERE state = 'delivered')::int AS good,
         count(*) FILTER (WHERE state <> 'delivered' AND attempt_count > 0)::int AS bad
  FROM (SELECT id, merchant_id, environment, state, attempt_count FROM callbacks
        WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT ${MOST}) c
  WHERE environment = $3::environment GROUP BY 1, 2`;

const noRate = (): Rate => ({ day: { good: 0, bad: 0 }, week: { good: 0, bad: 0 } });

function add(rate: Rate, isDay: boolean, { good, bad }: Outcomes): void {
  for (const sum of isDay ? [rate.day, rate.week] : [rate.week]) {
    sum.good += good;
    sum.bad += bad;
  }
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

type AccountKey = { merchant_id: string | null; provider: string; account_id: string | null };
const keyOf = ({ merchant_id, provider, account_id }: AccountKey) =>
  `${merchant_id} ${provider} ${account_id}`;

/** The statements' bounds: ids of that prefix from `fromMs` until `now`. */
function between(prefix: string, fromMs: number, { environment, now }: Asked): unknown[] {
  return [idBefore(prefix, fromMs), idBefore(prefix, now.getTime() + 1), environment];
}

type Asked = { environment: Environment; now: Date };

const noRates = (): MerchantRates => ({
  approval: noRate(),
  delivery: noRate(),
  hours: new Array<number>(DAY_HOURS).fill(0),
});

async function countAttempts(
  pool: Pool,
  asked: Asked,
  merchants: Map<string, MerchantRates>,
): Promise<Pick<Rates, 'accounts' | 'mediansMs'>> {
  const accounts = new Map<string, AccountResults>();
  const weekAgo = asked.now.getTime() - WEEK_MS;
  const values = [...between('pay', weekAgo, asked), asked.now.toISOString()];
  for (const row of (await pool.query<AttemptRow>(ATTEMPTS, values)).rows) {
    const { hours_ago: hoursAgo, captured, declined, failed, open, provider } = row;
    const isDay = hoursAgo < DAY_HOURS;
    const outcomes = { good: captured, bad: declined + failed };
    const rates = entry(merchants, row.merchant_id, noRates);
    add(rates.approval, isDay, outcomes);
    const account = entry(accounts, keyOf(row), () => ({
      ...{ provider, accountId: row.account_id, merchantId: row.merchant_id },
      ...{ approval: noRate(), declined: 0, failed: 0, unknown: 0, medianMs: null },
    }));
    add(account.approval, isDay, outcomes);
    if (!isDay) continue;
    rates.hours[DAY_HOURS - 1 - hoursAgo] = (rates.hours[DAY_HOURS - 1 - hoursAgo] ?? 0) + captured;
    account.declined += declined;
    account.failed += failed;
    account.unknown += open;
  }
  const dayAgo = asked.now.getTime() - DAY_HOURS * HOUR_MS;
  const medians = await pool.query<AccountKey & { median_ms: number }>(
    MEDIANS,
    between('pay', dayAgo, asked),
  );
  const mediansMs = new Map<string, number>();
  for (const row of medians.rows) {
    if (row.merchant_id === null) mediansMs.set(row.provider, row.median_ms);
    const account = accounts.get(keyOf(row));
    if (account) account.medianMs = row.median_ms;
  }
  return { accounts: [...accounts.values()], mediansMs };
}

/** Payments and callbacks of a week, as they stand now. */
async function count(pool: Pool, asked: Asked): Promise<Rates> {
  const [weekAgo, dayAgo] = [WEEK_MS, DAY_HOURS * HOUR_MS].map((ms) => asked.now.getTime() - ms);
  const merchants = new Map<string, MerchantRates>();
  // One after the other: all at once would take connections that the API waits for.
  const results = await countAttempts(pool, asked, merchants);
  const callbacks = await pool.query<CallbackRow>(CALLBACKS, [
    ...between('ntf', weekAgo ?? 0, asked),
    idBefore('ntf', dayAgo ?? 0),
  ]);
  for (const row of callbacks.rows) {
    add(entry(merchants, row.merchant_id, noRates).delivery, row.is_day, row);
  }
  return { merchants, ...results, at: asked.now };
}

type Known = { rates: Promise<Rates>; atMs: number };
const known = new WeakMap<Pool, Map<Environment, Known>>();

/** The rates in one environment, counted at most once a minute. */
export async function readRates(pool: Pool, asked: Asked): Promise<Rates> {
  const atMs = asked.now.getTime();
  const ofPool = known.get(pool) ?? new Map<Environment, Known>();
  known.set(pool, ofPool);
  const last = ofPool.get(asked.environment);
  if (last && Math.abs(atMs - last.atMs) < FRESH_MS) return await last.rates;
  const rates = count(pool, asked);
  ofPool.set(asked.environment, { rates, atMs });
  // What failed is asked for again.
  rates.catch(() => ofPool.delete(asked.environment));
  return await rates;
}

/** The share that went well, from 0 to 1; null where nothing was decided. */
export function shareOf({ good, bad }: Outcomes): number | null {
  return good + bad === 0 ? null : good / (good + bad);
}

/** The ids of those with a share, the lowest first; of equal ones the one with more that failed. */
export function lowestFirst(
  rates: ReadonlyMap<string, MerchantRates>,
  of: 'approval' | 'delivery',
): string[] {
  const decided = [...rates].map(([id, each]) => ({ id, day: each[of].day }));
  return decided
    .filter(({ day }) => shareOf(day) !== null)
    .sort((a, b) => (shareOf(a.day) ?? 0) - (shareOf(b.day) ?? 0) || b.day.bad - a.day.bad)
    .map(({ id }) => id);
}

/** The ids of those with payments, the one with the most first. */
export function mostPaidFirst(rates: ReadonlyMap<string, MerchantRates>): string[] {
  const paid = [...rates].filter(([, { approval }]) => approval.day.good > 0);
  return paid.sort(([, a], [, b]) => b.approval.day.good - a.approval.day.good).map(([id]) => id);
}
