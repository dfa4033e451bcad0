import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { randomText } from '../../lib/random-text.ts';
import { requestHeaders } from '../http/request-headers.ts';
import { ATTEMPT_TIMEOUT_MS, type Sender, unsent } from '../http/send.ts';
import type { ClaimedCallback, Observation, SendFailure } from '../types.ts';

// The listeners of all merchants are read at most this often.
const SNAPSHOT_MS = 250;
const POLL_MS = 40;
// A present listener takes a callback within a tenth of this.
const UNTAKEN_MS = 2_000;

export type ForwardTimes = { snapshotMs?: number; untakenMs?: number; timeoutMs?: number };

type Answered = {
  answered: boolean;
  durationMs: number | null;
  httpStatus: number | null;
  answer: Buffer | null;
  failure: SendFailure | null;
  retryAfter: string | null;
  location: string | null;
};

const LISTENED = `
  SELECT merchant_id FROM callback_listeners WHERE listening_until > $1::timestamptz`;

const INSERT = `
  INSERT INTO callback_forwards
    (id, merchant_id, callback_id, invoice_id, attempt, url, headers, body, created_at, expires_at)
  VALUES ($1::text, $2::text, $3::text, $4::text, $5::int, $6::text, $7::text[], $8::bytea,
          $9::timestamptz, $10::timestamptz)`;

// The query also returns the present holder: repeated after a lost answer, it finds nothing to
// delete, and no holder either.
const WITHDRAW = `
  WITH withdrawn AS (
    DELETE FROM callback_forwards WHERE id = $1::text AND taken_at IS NULL RETURNING id
  )
  SELECT FROM callback_forwards WHERE id = $1::text AND NOT EXISTS (SELECT FROM withdrawn)`;

// This ends the wait either way: the answer is read and deleted, and nobody can answer after the
// time is over.
const FINISH = `
  DELETE FROM callback_forwards
  WHERE id = $1::text AND (answered_at IS NOT NULL OR $2::boolean)
  RETURNING answered_at IS NOT NULL AS answered, duration_ms AS "durationMs",
    http_status AS "httpStatus", answer, failure, retry_after AS "retryAfter", location`;

/** Merchants with a listener for their sandbox, as known to this process. */
class Listened {
  private merchants: Promise<Set<string>> = Promise.resolve(new Set());
  private freshUntilMs = 0;
  private readonly pool: pg.Pool;
  private readonly snapshotMs: number;

  constructor(pool: pg.Pool, snapshotMs: number) {
    this.pool = pool;
    this.snapshotMs = snapshotMs;
  }

  async has(merchantId: string, now: Date): Promise<boolean> {
    if (performance.now() >= this.freshUntilMs) {
      this.freshUntilMs = performance.now() + this.snapshotMs;
      // A failed read counts as no listener: the callback must not wait for it.
      this.merchants = this.read(now).catch(() => new Set());
    }
    return (await this.merchants).has(merchantId);
  }

  private async read(now: Date): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ merchant_id: string }>({
      name: 'listeners_live',
      text: LISTENED,
      values: [now.toISOString()],
    });
    return new Set(rows.map((row) => row.merchant_id));
  }
}

/**
 * A sender that passes a sandbox's callbacks to its listener (`gateway listen`), and sends all
 * others, and those that no listener takes, by `sender`. The listener's answer is the attempt's
 * result, so that the schedule's retries follow as from any answer; a listener that takes a
 * callback and dies is a timeout.
 */
export function forwardingSender(
  sender: Sender,
  {
    pool,
    clock,
    snapshotMs = SNAPSHOT_MS,
    untakenMs = UNTAKEN_MS,
    timeoutMs = ATTEMPT_TIMEOUT_MS,
  }: { pool: pg.Pool; clock: () => Date } & ForwardTimes,
): Sender {
  const listened = new Listened(pool, snapshotMs);

  /** @returns null if nobody took it: then it counts as never offered */
  async function forward(
    callback: ClaimedCallback,
    keys: readonly KeyObject[],
  ): Promise<Observation | null> {
    const id = `fwd_${randomText(35)}`;
    const startedAt = clock();
    const startedMs = performance.now();
    const offered = await pool
      .query({
        name: 'forwards_insert',
        text: INSERT,
        values: [
          id,
          callback.merchantId,
          callback.id,
          callback.invoiceId,
          callback.attemptCount + 1,
          callback.url,
          requestHeaders(callback, keys, startedAt),
          callback.body,
          startedAt.toISOString(),
          new Date(startedAt.getTime() + timeoutMs).toISOString(),
        ],
      })
      .then(
        () => true,
        () => false,
      );
    if (!offered) return null;
    let mayBeUntaken = true;
    for (;;) {
      await sleep(POLL_MS);
      const waitedMs = performance.now() - startedMs;
      if (mayBeUntaken && waitedMs > untakenMs) {
        const isTaken = await withdraw(pool, id);
        if (isTaken === false) return null;
        mayBeUntaken = isTaken === null;
      }
      const isOver = waitedMs >= timeoutMs;
      const row = await finish(id, isOver);
      if (row?.answered) return observe(row, startedAt);
      if (row || isOver) {
        return viaListener({ ...unsent(startedAt, 'timeout'), durationMs: timeoutMs });
      }
    }
  }

  // A database that is briefly away gives no answer, so it is asked again.
  const finish = (id: string, isOver: boolean): Promise<Answered | undefined> =>
    pool.query<Answered>({ name: 'forwards_finish', text: FINISH, values: [id, isOver] }).then(
      ({ rows }) => rows[0],
      () => undefined,
    );

  async function forwardOrSend(
    callback: ClaimedCallback,
    keys: readonly KeyObject[],
  ): Promise<Observation> {
    const isListened = await listened.has(callback.merchantId, clock());
    const observation = isListened && keys.length > 0 ? await forward(callback, keys) : null;
    return observation ?? (await sender.send(callback, keys));
  }

  return {
    send: (callback, keys) => {
      // Production's callbacks never wait for a listener, which takes notifications alone.
      if (callback.environment !== 'sandbox' || callback.kind === 'event')
        return sender.send(callback, keys);
      return forwardOrSend(callback, keys);
    },
    close: () => sender.close(),
  };
}

/** @returns whether a listener has taken it; null without the database's answer */
const withdraw = (pool: pg.Pool, id: string): Promise<boolean | null> =>
  pool.query(WITHDRAW, [id]).then(
    ({ rowCount }) => rowCount === 1,
    () => null,
  );

function viaListener(observation: Observation): Observation {
  return { ...observation, via: 'listener' };
}

function observe(row: Answered, startedAt: Date): Observation {
  return viaListener({
    startedAt,
    durationMs: row.durationMs ?? 0,
    httpStatus: row.httpStatus,
    body: row.answer ?? Buffer.alloc(0),
    failure: row.failure,
    retryAfter: row.retryAfter,
    location: row.location,
  });
}
