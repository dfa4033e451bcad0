import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import type { PaymentAttempt } from './types.ts';

// Whoever tries out stolen cards is told from buyers by what comes of the tries: of theirs nearly all
// are declined. So a paid one makes up for a declined one, and buyers who share an address, a whole
// town behind one of its provider's, never come to a limit while they pay honestly.

/** How long a try counts, of an invoice's as well as of an address's and of a merchant's. */
export const TRIES_WINDOW_MS = 10 * 60_000;

/**
 * At most this many attempts for an invoice within ten minutes: enough for anybody
 * with a purse of cards, too few for trying stolen ones. The buyer can go on later,
 * until `end_date`.
 */
export const MAX_ATTEMPTS = 10;

/**
 * And so many in its life: of an invoice that waits for its payment each was in vain. One that never
 * reached the acquirer does not count.
 */
export const MAX_LIFE_ATTEMPTS = 30;

/**
 * So many more declined than paid tries make an address wait, whosever invoices they were for. What is
 * at work counts as declined until it has ended, so that many at once are no way around.
 */
export const ADDRESS_LIMIT = 30;

/**
 * So many more declined than paid tries of a merchant's buyers are an attack, which may come from a
 * thousand addresses.
 */
export const MERCHANT_LIMIT = 50;

/**
 * Meanwhile so many make an address wait for that merchant's invoices. Nothing else changes: nobody is
 * refused for what others did, so that an attacker cannot close the shop to its buyers. One that has
 * its first cards declined passes still.
 */
export const ATTACKED_ADDRESS_LIMIT = 3;

/**
 * When the limits of an invoice allow another attempt (UTC ms; Infinity: never); null when they do now.
 *
 * @param attempts of an invoice, newest first
 */
export function nextTryAtMs(
  attempts: readonly Pick<PaymentAttempt, 'createdAtMs' | 'status'>[],
  now: Date,
): number | null {
  const inVain = attempts.filter(({ status }) => status !== 'failed').length;
  if (inVain >= MAX_LIFE_ATTEMPTS) return Number.POSITIVE_INFINITY;
  const oldest = attempts[MAX_ATTEMPTS - 1];
  const atMs = oldest ? oldest.createdAtMs + TRIES_WINDOW_MS : 0;
  return atMs > now.getTime() ? atMs : null;
}

/** Where a buyer's try comes from, and whose invoice it is for. */
export type Buyer = { addressKey: string; merchantId: string; environment: Environment };

/** One of an address's tries that count. */
export type Try = { endsAtMs: number; outcome: 'declined' | 'paid' | 'at_work' };

// A bank that is out of order says nothing of a card, and declines everybody's.
const IS_DECLINE = `p.decline_reason <> 'processing_error'`;
// What waits at the bank is undecided, and in a sale hundreds may.
const EXCESS = `coalesce(sum(CASE WHEN p.status = 'captured' THEN -1 WHEN ${IS_DECLINE} THEN 1 ELSE 0 END), 0)::int`;

async function listTries(
  db: Queryable,
  { addressKey, environment }: Buyer,
  now: Date,
): Promise<Try[]> {
  const { rows } = await db.query<{ ends_at: Date; outcome: Try['outcome'] }>({
    name: 'tries_of_address',
    text: `
      SELECT b.ends_at, CASE WHEN p.status = 'captured' THEN 'paid'
                             WHEN p.status = 'authorising' THEN 'at_work' ELSE 'declined' END AS outcome
      FROM buyer_tries b JOIN payment_attempts p ON p.id = b.attempt_id
      WHERE b.environment = $1::environment AND b.address_key = $2 AND b.ends_at > $3
        AND (p.status IN ('captured', 'authorising') OR ${IS_DECLINE})
      ORDER BY b.ends_at`,
    values: [environment, addressKey, now.toISOString()],
  });
  return rows.map(({ ends_at, outcome }) => ({ endsAtMs: ends_at.getTime(), outcome }));
}

/**
 * When, of an address's tries, fewer than `limit` more were declined than paid (UTC ms); null when it
 * is so now.
 *
 * @param tries the oldest first
 */
export function belowLimitAtMs(tries: readonly Try[], limit: number): number | null {
  const weightOf = ({ outcome }: Try): number => (outcome === 'paid' ? -1 : 1);
  let excess = tries.reduce((sum, each) => sum + weightOf(each), 0);
  if (excess < limit) return null;
  for (const [index, each] of tries.entries()) {
    excess -= weightOf(each);
    // Tries that end in one millisecond end together.
    const isLast = tries[index + 1]?.endsAtMs !== each.endsAtMs;
    if (isLast && excess < limit) return each.endsAtMs;
  }
  return null;
}

async function isAttacked(
  db: Queryable,
  { merchantId, environment }: Buyer,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ excess: number }>({
    name: 'excess_of_merchant',
    text: `SELECT ${EXCESS} AS excess
           FROM buyer_tries b JOIN payment_attempts p ON p.id = b.attempt_id
           WHERE b.environment = $1::environment AND b.merchant_id = $2 AND b.ends_at > $3`,
    values: [environment, merchantId, now.toISOString()],
  });
  return (rows[0]?.excess ?? 0) >= MERCHANT_LIMIT;
}

/** Until when a buyer's address has to wait before it tries another card (UTC ms); null when it need not. */
export async function throttledUntilMs(
  db: Queryable,
  buyer: Buyer,
  now: Date,
): Promise<number | null> {
  const tries = await listTries(db, buyer, now);
  const ended = tries.filter(({ outcome }) => outcome !== 'at_work');
  const ofAttacked = belowLimitAtMs(ended, ATTACKED_ADDRESS_LIMIT);
  const isSlowed = ofAttacked !== null && (await isAttacked(db, buyer, now));
  return isSlowed ? ofAttacked : belowLimitAtMs(tries, ADDRESS_LIMIT);
}

/** A merchant of whose buyers' tries more were declined than paid, and how many more. */
export type Excess = { merchantId: string; environment: Environment; excess: number };

/** Those with the most, for who watches. */
export async function listExcesses(
  db: Queryable,
  { now, atLeast, limit }: { now: Date; atLeast: number; limit: number },
): Promise<Excess[]> {
  const { rows } = await db.query<{
    merchant_id: string;
    environment: Environment;
    excess: number;
  }>({
    name: 'excesses',
    text: `SELECT b.merchant_id, b.environment, ${EXCESS} AS excess
           FROM buyer_tries b JOIN payment_attempts p ON p.id = b.attempt_id
           WHERE b.ends_at > $1 GROUP BY b.merchant_id, b.environment
           HAVING ${EXCESS} >= $2::int ORDER BY excess DESC, b.merchant_id LIMIT $3::int`,
    values: [now.toISOString(), atLeast, limit],
  });
  return rows.map(({ merchant_id, environment, excess }) => ({
    merchantId: merchant_id,
    environment,
    excess,
  }));
}
