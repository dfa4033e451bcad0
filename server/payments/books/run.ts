import type { Pool } from 'pg';
import { GatewayError, reasonOf } from '../../lib/errors.ts';
import { openAccount } from '../../merchants/acquirer-accounts.ts';
import { openAccountProvider } from '../providers/registry.ts';
import { type Counts, compareBooks, type Difference } from './compare.ts';
import { type BookScope, findOurs, keepFees, readKnown, readOurs } from './data.ts';
import { endGone, keepDifferences, oldestDifferenceMs } from './differences.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What changed so shortly before may not stand in both books yet; clocks differ as well. */
const FRESH_MS = 10 * MINUTE_MS;
/** An acquirer may begin a payment or refund of ours so much later: it was down, or the buyer slow. */
const LATE_MS = DAY_MS;

export type Compared = Counts & { differences: number; found: Difference[] };

/** So many differences are returned; all are kept. */
const MAX_FOUND = 1_000;

/**
 * Holds an account's books at the acquirer against ours: keeps each difference, ends those that are
 * gone, and fills in the fees that the acquirer tells later.
 *
 * @param span what began within it is compared, UTC ms; `toMs` exclusive
 * @returns what was compared and found; null for an acquirer without books that we can read
 * @throws GatewayError `acquirer_account_not_found`, and any error of asking the acquirer
 */
export async function compareAccount(
  pool: Pool,
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  now: Date,
): Promise<Compared | null> {
  const account = await openAccount(pool, accountId);
  if (!account) throw new GatewayError('acquirer_account_not_found');
  const provider = openAccountProvider(pool, account, () => now);
  if (provider.kind === 'inbound' || !provider.readBooks) return null;
  const { pageLifeMs } = provider;
  const settledMs = now.getTime() - FRESH_MS;
  const scope: BookScope = { accountId, fromMs, toMs, settledMs, pageLifeMs };
  const found: Difference[] = [];
  const counts = await compareBooks({
    lines: provider.readBooks({
      fromMs: fromMs - FRESH_MS,
      toMs: Math.min(toMs + LATE_MS, now.getTime()),
      known: readKnown(pool, scope),
    }),
    find: (lines) => findOurs(pool, scope, lines),
    ours: readOurs(pool, scope, { hasRefunds: provider.hasBooksOfPaymentsOnly !== true }),
    span: { fromMs, toMs },
    onDifferences: async (differences) => {
      found.push(...differences.slice(0, MAX_FOUND - found.length));
      await keepDifferences(pool, accountId, differences, now);
    },
    onFees: (fees) => keepFees(pool, fees),
  });
  await endGone(pool, scope, now);
  return { ...counts, found };
}

/** Each comparison looks back so far: a payment may change days later, as by a refund there. */
const LOOK_BACK_MS = 3 * DAY_MS;
/** And as far as the oldest difference that is not gone, within this. */
const MOST_BACK_MS = 31 * DAY_MS;
/** A worker that dies lets another begin after this. */
const LEASE_MS = 60 * MINUTE_MS;

/** Takes an account whose books are due; null when none is. */
async function takeDue(pool: Pool, now: Date): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `UPDATE acquirer_accounts SET compare_at = $2
     WHERE id = (
       SELECT id FROM acquirer_accounts
       WHERE coalesce(compare_at, created_at) <= $1 AND disconnected_at IS NULL
       ORDER BY coalesce(compare_at, created_at), id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [now.toISOString(), new Date(now.getTime() + LEASE_MS).toISOString()],
  );
  return rows[0]?.id ?? null;
}

async function compareDue(pool: Pool, accountId: string, now: Date): Promise<void> {
  const toMs = now.getTime();
  const oldestMs = (await oldestDifferenceMs(pool, accountId)) ?? toMs;
  const fromMs = Math.max(Math.min(oldestMs, toMs - LOOK_BACK_MS), toMs - MOST_BACK_MS);
  const compared = await compareAccount(pool, accountId, { fromMs, toMs }, now);
  await pool.query(
    `UPDATE acquirer_accounts
     SET compare_at = $2, compared_at = CASE WHEN $3 THEN $4::timestamptz END, compare_fault = NULL
     WHERE id = $1`,
    [accountId, new Date(toMs + DAY_MS).toISOString(), compared !== null, now.toISOString()],
  );
}

/**
 * Compares the books of the accounts that are due, each once a day. One that fails is due again in an
 * hour, and its row says why.
 *
 * @returns how many accounts were taken
 */
export async function compareDueBooks(
  pool: Pool,
  { clock, limit }: { clock: () => Date; limit: number },
): Promise<number> {
  for (let taken = 0; taken < limit; taken++) {
    const id = await takeDue(pool, clock());
    if (id === null) return taken;
    try {
      await compareDue(pool, id, clock());
    } catch (error) {
      await pool.query('UPDATE acquirer_accounts SET compare_fault = $2 WHERE id = $1', [
        id,
        reasonOf(error).slice(0, 200),
      ]);
    }
  }
  return limit;
}
