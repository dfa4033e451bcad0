import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import type { ClaimedCallback, SendFailure } from '../types.ts';

/**
 * The time for which a listener's last poll counts (ms). It polls every few seconds; if it dies,
 * callbacks go to their addresses again after this.
 */
export const LISTENER_LEASE_MS = 12_000;

const MOST_AT_ONCE = 10;

/** A listener's message: it begins (and takes over), is still there, or ends. */
export type ListenerStep = 'start' | 'go_on' | 'stop';

/** A callback that a listener has to post and answer. */
export type TakenForward = {
  forwardId: string;
  invoiceId: string;
  /** 1 for the first. */
  attempt: number;
  /** The address without a listener. */
  url: string;
  /** Names and values by turns, signed. */
  headers: string[];
  /** The exact bytes that the signature covers. */
  body: Buffer;
};

/** The answer that the listener's program got. */
export type ForwardAnswer = {
  durationMs: number;
  /** Null without a status line. */
  httpStatus: number | null;
  body: Buffer;
  failure: SendFailure | null;
  retryAfter: string | null;
  location: string | null;
};

// $1 merchant, $2 listener, $3 until, $4 whether it takes over, $5 now. Later polls of a replaced
// listener change nothing.
const KEEP = `
  INSERT INTO callback_listeners AS l (merchant_id, listener_id, listening_until)
  VALUES ($1::text, $2::text, $3::timestamptz)
  ON CONFLICT (merchant_id) DO UPDATE
    SET listener_id = excluded.listener_id, listening_until = excluded.listening_until
    WHERE $4::boolean OR l.listener_id = excluded.listener_id
      OR l.listening_until <= $5::timestamptz`;

/**
 * Notes that a listener is there. A merchant has one: the newest to start replaces the one before.
 *
 * @returns the end of its presence, which names this poll; null after another has taken over
 */
export async function keepListening(
  db: Queryable,
  tenant: Tenant,
  { listenerId, step, now }: { listenerId: string; step: ListenerStep; now: Date },
): Promise<Date | null> {
  const until = step === 'stop' ? now : new Date(now.getTime() + LISTENER_LEASE_MS);
  const values = [
    tenant.merchantId,
    listenerId,
    until.toISOString(),
    step === 'start',
    now.toISOString(),
  ];
  const { rowCount } = await db.query({ name: 'listeners_keep', text: KEEP, values });
  return rowCount === 1 ? until : null;
}

// $1 merchant, $2 listener, $3 now, $4 the end of the poll. A poll whose caller has silently gone
// takes nothing once the listener has polled again or stopped.
const TAKE = `
  WITH next AS (
    SELECT id FROM callback_forwards
    WHERE merchant_id = $1::text AND taken_at IS NULL AND expires_at > $3::timestamptz
      AND EXISTS (SELECT FROM callback_listeners l
                  WHERE l.merchant_id = $1::text AND l.listener_id = $2::text
                    AND l.listening_until = $4::timestamptz)
    ORDER BY created_at LIMIT ${MOST_AT_ONCE}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE callback_forwards f SET taken_at = $3::timestamptz
  FROM next WHERE f.id = next.id AND f.taken_at IS NULL
  RETURNING f.id AS "forwardId", f.invoice_id AS "invoiceId", f.attempt, f.url, f.headers, f.body`;

/** Hands a listener the callbacks that wait for it; each is handed out once. */
export async function takeForwards(
  db: Queryable,
  tenant: Tenant,
  { listenerId, until, now }: { listenerId: string; until: Date; now: Date },
): Promise<TakenForward[]> {
  const values = [tenant.merchantId, listenerId, now.toISOString(), until.toISOString()];
  const { rows } = await db.query<TakenForward>({ name: 'listeners_take', text: TAKE, values });
  return rows;
}

const ANSWER = `
  UPDATE callback_forwards f SET
    answered_at = $3::timestamptz, duration_ms = $4::int, http_status = $5::int,
    answer = $6::bytea, failure = $7::text, retry_after = $8::text, location = $9::text
  FROM callbacks c
  WHERE f.id = $1::text AND f.merchant_id = $2::text AND f.taken_at IS NOT NULL
    AND f.answered_at IS NULL AND f.expires_at > $3::timestamptz
    AND c.id = f.callback_id
  RETURNING f.attempt, c.attempt_count - c.extra_attempts AS "stepsTaken", c.next_trigger AS trigger`;

/** The number of an attempt, and the facts that give its step of the schedule. */
export type AnsweredForward = { attempt: number } & Pick<ClaimedCallback, 'stepsTaken' | 'trigger'>;

/**
 * Stores the answer of a callback handed to a listener.
 *
 * @returns null if nobody waits for it (any more)
 */
export async function answerForward(
  db: Queryable,
  tenant: Tenant,
  { forwardId, answer, now }: { forwardId: string; answer: ForwardAnswer; now: Date },
): Promise<AnsweredForward | null> {
  const { rows } = await db.query<AnsweredForward>({
    name: 'listeners_answer',
    text: ANSWER,
    values: [
      forwardId,
      tenant.merchantId,
      now.toISOString(),
      answer.durationMs,
      answer.httpStatus,
      answer.body,
      answer.failure,
      answer.retryAfter,
      answer.location,
    ],
  });
  return rows[0] ?? null;
}
