import type { Pool, PoolClient } from 'pg';
import { planByIndexes } from '../db/index-plans.ts';
import { inTransaction } from '../db/pool.ts';
import { readRecipients } from './choices.ts';
import { lookAtCallbacks, WINDOW_MS } from './failing-callbacks.ts';
import { lookAtEvents } from './told-events.ts';
import type { Place, Watch } from './types.ts';

/** A new merchant's events count from its beginning; those of an older one from the first look on. */
const NEW_FOR = "interval '10 minutes'";

async function startWatches(pool: Pool, now: Date): Promise<void> {
  await pool.query({
    name: 'start_notice_watches',
    text: `
      INSERT INTO notice_watches (merchant_id, environment, position, number)
      SELECT m.id, e.environment, CASE WHEN m.created_at > $1::timestamptz - ${NEW_FOR} THEN 0
        ELSE pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_offset() END, 0
      FROM merchants m CROSS JOIN unnest('{sandbox,production}'::environment[]) AS e(environment)
      WHERE NOT EXISTS (SELECT FROM notice_watches w
        WHERE w.merchant_id = m.id AND w.environment = e.environment)
      ON CONFLICT DO NOTHING`,
    values: [now.toISOString()],
  });
}

// One step of an index for each merchant and question.
const NEWS = `
  SELECT w.merchant_id AS "merchantId", w.environment FROM notice_watches w
  LEFT JOIN LATERAL (
    SELECT true AS found FROM events e
    WHERE e.merchant_id = w.merchant_id AND e.environment = w.environment
      AND (e.position, e.number) > (w.position, w.number)
      AND e.position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_offset()
    LIMIT 1) event ON true
  LEFT JOIN LATERAL (
    SELECT true AS found FROM callbacks c
    WHERE c.merchant_id = w.merchant_id AND c.environment = w.environment AND c.state = 'pending'
      AND c.created_at >= $1::timestamptz AND c.attempt_count > 0
    LIMIT 1) callback ON true
  WHERE event.found OR callback.found OR w.are_callbacks_failing
  ORDER BY 1, 2`;

async function merchantsWithNews(pool: Pool, since: Date): Promise<Place[]> {
  return await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    const { rows } = await db.query<Place>({
      name: 'merchants_with_news',
      text: NEWS,
      values: [since.toISOString()],
    });
    return rows;
  });
}

/** Null while another worker looks at this merchant. */
async function holdWatch(db: PoolClient, { merchantId, environment }: Place) {
  const { rows } = await db.query<Watch>({
    name: 'hold_notice_watch',
    text: `SELECT merchant_id AS "merchantId", environment, position::text, number::text,
                  are_callbacks_failing AS "areCallbacksFailing",
                  callbacks_changed_at AS "callbacksChangedAt"
           FROM notice_watches WHERE merchant_id = $1 AND environment = $2::environment
           FOR UPDATE SKIP LOCKED`,
    values: [merchantId, environment],
  });
  return rows[0] ?? null;
}

/**
 * Writes the notices about what has happened to merchants since the last look: events, callbacks
 * that begin to fail or are well again. A notice and how far was looked are committed together.
 *
 * @returns the number of merchants with news
 */
export async function watchMerchants(pool: Pool, { now }: { now: Date }): Promise<number> {
  await startWatches(pool, now);
  const places = await merchantsWithNews(pool, new Date(now.getTime() - WINDOW_MS));
  for (const place of places) {
    let isMore = true;
    while (isMore) {
      isMore = await inTransaction(pool, async (db) => {
        const watch = await holdWatch(db, place);
        if (!watch) return false;
        const recipients = await readRecipients(db, place);
        await lookAtCallbacks(db, watch, recipients, now);
        return await lookAtEvents(db, watch, recipients, now);
      });
    }
  }
  return places.length;
}
