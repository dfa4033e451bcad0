import type { Queryable } from '../db/pool.ts';
import { later, nextPoll } from '../payments/timing.ts';
import type { Refund } from './types.ts';

// A process holds a refund until then while it asks the acquirer. The time is longer than the calls
// of one question take: an acquirer that knows no keys is not asked twice at once.
const LEASE_MS = 45_000;
const SANDBOX_POLL_MS = 5_000;
const POLLED_FOR_MS = 30 * 24 * 60 * 60_000;

/** Until when a process that asks holds a refund. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** When the acquirer is next asked about an open refund; null after thirty days. */
export function nextQuestion(
  { accountId, createdAtMs }: Pick<Refund, 'accountId' | 'createdAtMs'>,
  now: Date,
): Date | null {
  const ageMs = now.getTime() - createdAtMs;
  if (ageMs >= POLLED_FOR_MS) return null;
  if (accountId === null && ageMs < SANDBOX_POLL_MS) return new Date(createdAtMs + SANDBOX_POLL_MS);
  return nextPoll({ createdAtMs }, now);
}

/** Writes when the acquirer is next asked about a PENDING refund, and its id there once it is told. */
export async function setNextQuestion(
  db: Queryable,
  refundId: string,
  { reference, at }: { reference: string | null; at: Date | null },
): Promise<void> {
  await db.query({
    name: 'refund_asked',
    text: `UPDATE refunds SET recover_at = $3, reference = coalesce($2, reference)
           WHERE id = $1 AND status = 'PENDING'`,
    values: [refundId, reference, at?.toISOString() ?? null],
  });
}

/** Takes up to `limit` refunds that are due, the longest waiting first, and holds them for a while. */
export async function takeDueRefunds(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'take_due_refunds',
    text: `
      WITH due AS (
        SELECT id FROM refunds WHERE recover_at <= $1 ORDER BY recover_at LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED)
      UPDATE refunds r SET recover_at = $3 FROM due WHERE r.id = due.id RETURNING r.id`,
    values: [now.toISOString(), limit, later(now, LEASE_MS)],
  });
  return rows.map(({ id }) => id);
}
