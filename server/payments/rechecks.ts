import type { Queryable } from '../db/pool.ts';
import { MONEY_MOVING, OPEN, sqlList } from './state.ts';
import {
  AUTHORISING_LEASE_MS,
  later,
  MONEY_MOVING_LEASE_MS,
  NEXT_LOOK_MS,
  NO_LOOK_MS,
  RETURN_PAUSE_MS,
  SILENCE_MS,
  SOON_MS,
} from './timing.ts';
import type { PaymentAttempt } from './types.ts';

type Recheck = 'soon' | 'lease' | 'silence' | 'next_look' | 'never';

/**
 * Says when recovery looks at a waiting attempt: soon; after a lease, while this
 * process works on it; after an acquirer's silence; after the time that its acquirer is left alone;
 * never again; or at a time.
 */
export async function setRecheck(
  db: Queryable,
  attempt: Pick<PaymentAttempt, 'id' | 'status'>,
  recheck: Recheck | Date,
  now: Date,
): Promise<void> {
  const at: Record<Recheck, string | null> = {
    soon: later(now, SOON_MS),
    lease: later(now, MONEY_MOVING_LEASE_MS),
    silence: later(now, SILENCE_MS),
    next_look: later(now, NEXT_LOOK_MS),
    never: null,
  };
  await db.query({
    name: 'set_recheck',
    text: 'UPDATE payment_attempts SET recover_at = $3 WHERE id = $1 AND status = $2::attempt_status',
    values: [
      attempt.id,
      attempt.status,
      recheck instanceof Date ? recheck.toISOString() : at[recheck],
    ],
  });
}

/**
 * Takes one attempt that no process works on any more, and holds it for a while. It leaves one that
 * may not have reached the acquirer: recovery alone judges, in its time, whether it ever will.
 * @returns false when it is not due, or another process has just taken it
 */
export async function takeDue(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'take_due_attempt',
    text: `UPDATE payment_attempts SET recover_at = $3
           WHERE id = $1 AND recover_at <= $2 AND status <> 'authorising'`,
    values: [attemptId, now.toISOString(), later(now, MONEY_MOVING_LEASE_MS)],
  });
  return rowCount === 1;
}

/**
 * Takes the right to ask the acquirer because a buyer came back from an open challenge. Recovery's
 * questions use up nothing of it, so the first return always asks; nor does a time far ahead, which
 * a wrong clock wrote.
 * @returns false when another return has just taken it, or the challenge is no longer open
 */
export async function takeReturn(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'take_return',
    text: `UPDATE payment_attempts SET return_asked_at = $2
           WHERE id = $1 AND status = 'challenge'
             AND (return_asked_at IS NULL OR return_asked_at NOT BETWEEN $3 AND $4)`,
    values: [
      attemptId,
      now.toISOString(),
      later(now, -RETURN_PAUSE_MS),
      later(now, RETURN_PAUSE_MS),
    ],
  });
  return rowCount === 1;
}

// The share of one look that is kept for other attempts, if there are any.
const KEPT_FOR_OTHERS = 0.2;

/**
 * Takes up to `limit` attempts that no process works on any more, and holds them for a while.
 * Attempts whose money moves come first, the longest waiting ahead; a part is for the others, whose
 * buyers could not pay otherwise for as long as hundreds of captures fail.
 *
 * A look later than any requested one was written by a clock that is ahead: it happens after a
 * lease from now, for a process may be working on the attempt. A given-up attempt can wait: all its
 * times are that clock's, which also judges its last look.
 */
export async function takeRecoverable(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'take_recoverable',
    text: `
      WITH ahead AS (
        UPDATE payment_attempts SET recover_at = $5 WHERE id = ANY (ARRAY(
          SELECT id FROM payment_attempts
          WHERE recover_at > $4 AND status IN ${sqlList(OPEN)}
          LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))
      ), moving AS MATERIALIZED (
        SELECT id FROM payment_attempts
        WHERE recover_at <= $1 AND status IN ${sqlList(MONEY_MOVING)}
        ORDER BY recover_at LIMIT $2::int - (
          SELECT count(*)::int FROM (
            SELECT FROM payment_attempts
            WHERE recover_at <= $1 AND status NOT IN ${sqlList(MONEY_MOVING)} LIMIT $6::int) others)
        FOR NO KEY UPDATE SKIP LOCKED
      ), other AS (
        SELECT id FROM payment_attempts
        WHERE recover_at <= $1 AND status NOT IN ${sqlList(MONEY_MOVING)}
        ORDER BY recover_at LIMIT $2::int - (SELECT count(*) FROM moving)
        FOR NO KEY UPDATE SKIP LOCKED
      ), due AS (SELECT id FROM moving UNION ALL SELECT id FROM other)
      UPDATE payment_attempts p SET recover_at = $3 FROM due WHERE p.id = due.id
      RETURNING p.id`,
    values: [
      now.toISOString(),
      limit,
      later(now, MONEY_MOVING_LEASE_MS),
      later(now, NO_LOOK_MS),
      later(now, AUTHORISING_LEASE_MS),
      Math.floor(limit * KEPT_FOR_OTHERS),
    ],
  });
  return rows.map(({ id }) => id);
}
