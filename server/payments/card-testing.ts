import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import type { PaymentAttempt } from './types.ts';

// The results of tries distinguish testers of stolen cards from buyers: nearly all of a tester's
// are declined. So a paid try makes up for a declined one, and buyers who share an address, even a
// whole town behind one provider's, never reach a limit while they pay honestly.

/** How long a try counts, for an invoice, an address and a merchant. */
export const TRIES_WINDOW_MS = 10 * 60_000;

/**
 * The most attempts for an invoice within ten minutes: enough for any buyer with a purse of cards,
 * too few for trying stolen ones. The buyer can go on later, until `end_date`.
 */
export const MAX_ATTEMPTS = 10;

/**
 * The most attempts in an invoice's life: while it waits for its payment, each was in vain. An
 * attempt that never reached the acquirer does not count.
 */
export const MAX_LIFE_ATTEMPTS = 30;

/**
 * This many more declined than paid tries make an address wait, for the invoices of any merchant. A
 * try at work counts as declined until it ends, so many at once are no way around the limit.
 */
export const ADDRESS_LIMIT = 30;

/**
 * This many more declined than paid tries of a merchant's buyers are an attack, which may come from
 * a thousand addresses.
 */
export const MERCHANT_LIMIT = 50;

/**
 * During an attack this many make an address wait for that merchant's invoices. Nothing else
 * changes: no buyer is refused for the tries of others, so an attacker cannot close the shop to its
 * buyers. A buyer whose first cards are declined still passes.
 */
export const ATTACKED_ADDRESS_LIMIT = 3;

/**
 * When an invoice's limits allow another attempt (UTC ms; Infinity: never); null when they do now.
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

/** The origin of a buyer's try, and the tenant of its invoice. */
export type Buyer = { addressKey: string; merchantId: string; environment: Environment };

/** One of an address's tries that count. */
export type Try = { endsAtMs: number; outcome: 'declined' | 'paid' | 'at_work' };

// A bank that is out of order says nothing about a card, and declines every card.
const IS_DECLINE = `p.decline_reason <> 'processing_error'`;
// A try that waits at the bank is undecided, and a sale may have hundreds.
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
 * When fewer than `limit` more of an address's tries were declined than paid (UTC ms); null when
 * that is so now.
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

/** When a buyer's address may try another card (UTC ms); null when it may now. */
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

/** A merchant with more declined than paid tries of its buyers, and the difference. */
export type Excess = { merchantId: string; environment: Environment; excess: number };

/** The merchants with the largest difference, for monitoring. */
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
