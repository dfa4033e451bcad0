import type { Queryable } from '../db/pool.ts';
import type { Recipient } from './choices.ts';
import { noticesTo, writeNotices } from './outbox.ts';
import type { NoticeContent, Watch } from './types.ts';

/** Callbacks created that recently tell whether a merchant's server accepts them. */
export const WINDOW_MS = 5 * 60_000;
/** A state lasts that long at least, so that a server that wavers makes few notices. */
const STEADY_MS = 10 * 60_000;
/** So many of the newest callbacks are enough to judge a server. */
const LOOKED_AT = 2_000;

const newest = (state: string) => `
  (SELECT * FROM callbacks
   WHERE merchant_id = $1::text AND environment = $2::environment AND state = '${state}'
     AND created_at >= $3::timestamptz
   ORDER BY created_at DESC LIMIT ${LOOKED_AT})`;

// A callback counts as failing once its first retry has failed: one lost answer is no news. Those from
// before the window may still be delivered, at the end of the night for example.
const FIGURES = `
  WITH failing AS MATERIALIZED (
    SELECT host FROM ${newest('pending')} p WHERE attempt_count - extra_attempts >= 2
  ), delivered AS MATERIALIZED (
    SELECT delivered_at FROM ${newest('delivered')} d
  ), last AS (
    SELECT max(delivered_at) AS at FROM (
      SELECT delivered_at FROM callbacks
      WHERE merchant_id = $1::text AND environment = $2::environment AND state = 'delivered'
      ORDER BY created_at DESC LIMIT 200) l
  )
  SELECT (SELECT count(*)::int FROM failing) AS failing,
         (SELECT mode() WITHIN GROUP (ORDER BY host) FROM failing) AS host,
         (SELECT count(*)::int FROM delivered) AS delivered, last.at AS "lastDeliveredAt" FROM last`;

/** What a merchant's callbacks of the window have come to. */
export type CallbackFigures = {
  failing: number;
  delivered: number;
  /** The last delivery among the newest ones, whenever they were created. */
  lastDeliveredAt: Date | null;
};

/**
 * Whether a merchant's callbacks fail, judged by the newest. They begin to when more fail than are
 * delivered; they are well again when one was delivered and hardly any fails.
 */
export function areFailing(
  before: Pick<Watch, 'areCallbacksFailing' | 'callbacksChangedAt'>,
  { failing, delivered, lastDeliveredAt }: CallbackFigures,
  now: Date,
): boolean {
  const sinceMs = before.callbacksChangedAt?.getTime() ?? 0;
  const isSettled = now.getTime() - sinceMs >= STEADY_MS;
  if (!isSettled) return before.areCallbacksFailing;
  if (!before.areCallbacksFailing) return failing > delivered;
  const lastMs = lastDeliveredAt?.getTime() ?? 0;
  const isDelivering = lastMs > sinceMs && now.getTime() - lastMs <= STEADY_MS;
  return !(isDelivering && failing * 10 <= delivered);
}

/** Tells once when a merchant's callbacks begin to fail, however many, and once when they are well. */
export async function lookAtCallbacks(
  db: Queryable,
  watch: Watch,
  recipients: readonly Recipient[],
  now: Date,
): Promise<void> {
  const { merchantId, environment } = watch;
  const { rows } = await db.query<CallbackFigures & { host: string | null }>({
    name: 'callbacks_of_window',
    text: FIGURES,
    values: [merchantId, environment, new Date(now.getTime() - WINDOW_MS).toISOString()],
  });
  const [figures] = rows;
  if (!figures) return;
  const isFailing = areFailing(watch, figures, now);
  if (isFailing === watch.areCallbacksFailing) return;
  const { rowCount } = await db.query(
    `UPDATE notice_watches SET are_callbacks_failing = $3, callbacks_changed_at = $4
     WHERE merchant_id = $1 AND environment = $2::environment AND are_callbacks_failing <> $3`,
    [merchantId, environment, isFailing, now.toISOString()],
  );
  if (rowCount !== 1) return;
  const content: NoticeContent = isFailing
    ? { what: 'callbacks_failing', host: figures.host ?? '' }
    : { what: 'callbacks_well' };
  const subject = `callbacks ${merchantId} ${environment} ${now.getTime()}`;
  const told = { merchantId, environment, subject, content };
  await writeNotices(
    db,
    recipients.flatMap((each) => noticesTo(each, told)),
    now,
  );
}
