import type { Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Recipient } from './choices.ts';
import { type Channel, kindOf, type NoticeContent, type Place } from './types.ts';

const MINUTE_MS = 60_000;
/** Longer than sending may take: a notice whose worker has died is due again then. */
const LEASE_MS = 5 * MINUTE_MS;
/** How long notices are kept, which is longer than anything is looked for twice. */
const KEPT_MS = 30 * 86_400_000;

/** A notice to a person on one channel. */
export type NewNotice = Place & {
  userId: string;
  channel: Channel;
  /** What it tells of: the same for each time that it is found. */
  subject: string;
  content: NoticeContent;
};

/** A notice for each channel on which a person wants to hear of it. */
export function noticesTo(
  { userId, choices }: Recipient,
  told: Pick<NewNotice, 'merchantId' | 'environment' | 'subject' | 'content'>,
): NewNotice[] {
  const kind = kindOf(told.content);
  const channels = choices.find((choice) => choice.kind === kind)?.channels ?? [];
  return channels.map((channel) => ({ ...told, userId, channel }));
}

/** Writes notices; those that are written already stay as they are. */
export async function writeNotices(
  db: Queryable,
  notices: readonly NewNotice[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map((each) => ({
    id: newId('not', now.getTime()),
    user_id: each.userId,
    merchant_id: each.merchantId,
    environment: each.environment,
    channel: each.channel,
    subject: each.subject,
    content: each.content,
  }));
  await db.query(
    `INSERT INTO notices
       (id, user_id, merchant_id, environment, channel, subject, content, next_attempt_at, created_at)
     SELECT id, user_id, merchant_id, environment, channel, subject, content, $2, $2
     FROM jsonb_to_recordset($1) AS n (id text, user_id text, merchant_id text,
       environment environment, channel text, subject text, content jsonb)
     ON CONFLICT (user_id, channel, subject) DO NOTHING`,
    [JSON.stringify(rows), now.toISOString()],
  );
}

/** A claimed notice. */
export type DueNotice = NewNotice & { id: string; attemptCount: number; createdAt: Date };

/** Takes due notices: their attempt is counted before anything is sent. */
export async function claimNotices(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<DueNotice[]> {
  const { rows } = await db.query<DueNotice>({
    name: 'claim_notices',
    text: `
      WITH due AS (
        SELECT id FROM notices WHERE state = 'waiting' AND next_attempt_at <= $1::timestamptz
        ORDER BY next_attempt_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
      UPDATE notices n
      SET attempt_count = n.attempt_count + 1, next_attempt_at = $2::timestamptz
      FROM due WHERE n.id = due.id
      RETURNING n.id, n.user_id AS "userId", n.merchant_id AS "merchantId", n.environment, n.channel,
                n.subject, n.content, n.attempt_count AS "attemptCount", n.created_at AS "createdAt"`,
    values: [now.toISOString(), new Date(now.getTime() + LEASE_MS).toISOString(), limit],
  });
  return rows;
}

/** What became of an attempt; a waiting notice is tried again at `nextAt`. */
export type NoticeResult =
  | { state: 'sent' | 'dropped' }
  | { state: 'refused' | 'failed'; reason: string }
  | { state: 'waiting'; reason: string; nextAt: Date };

/** Records the result of the attempt that was claimed; a later claim has a result of its own. */
export async function recordNotice(
  db: Queryable,
  { id, attemptCount }: DueNotice,
  result: NoticeResult,
  now: Date,
): Promise<void> {
  await db.query({
    name: 'record_notice',
    text: `UPDATE notices
           SET state = $3, reason = $4, next_attempt_at = coalesce($5, next_attempt_at),
               ended_at = CASE WHEN $3 <> 'waiting' THEN $6::timestamptz END
           WHERE id = $1 AND attempt_count = $2 AND state = 'waiting'`,
    values: [
      id,
      attemptCount,
      result.state,
      'reason' in result ? result.reason : null,
      result.state === 'waiting' ? result.nextAt.toISOString() : null,
      now.toISOString(),
    ],
  });
}

/**
 * Deletes up to `limit` notices that were kept for 30 days.
 *
 * @returns the number deleted
 */
export async function cleanUpNotices(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM notices WHERE id IN (
       SELECT id FROM notices WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
    [new Date(now.getTime() - KEPT_MS).toISOString(), limit],
  );
  return rowCount ?? 0;
}
