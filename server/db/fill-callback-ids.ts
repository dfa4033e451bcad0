import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { queryByIndexes } from './index-plans.ts';

// This few rows are locked for some hundredths of a second.
const SET_SIZE = 2_000;
const PAUSE_MS = 50;

/** Locked rows are left for a later set: nothing waits here, and nothing waits for this. */
const fill = (table: string, column: string) => ({
  name: `${table}_fill`,
  text: `
    WITH bare AS MATERIALIZED (
      SELECT ctid FROM ${table} WHERE ${column} IS NULL LIMIT ${SET_SIZE}
      FOR NO KEY UPDATE SKIP LOCKED
    ), filled AS (
      UPDATE ${table} t SET ${column} = 'ntf_' || substr(t.invoice_id, 5)
      FROM bare WHERE t.ctid = bare.ctid AND t.${column} IS NULL RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM filled) AS filled,
           EXISTS (SELECT FROM ${table} WHERE ${column} IS NULL) AS "hasBare"`,
});

const FILLS = [fill('callbacks', 'id'), fill('callback_attempts', 'callback_id')];

/**
 * Gives callbacks from before there were ids their ids, and their attempts too, set by set, each
 * committed: no row is locked for long, and an interrupted run goes on where it ended. The index of
 * the ids finds those without one.
 *
 * @param pool whose database has the migrations
 */
export async function fillCallbackIds(pool: pg.Pool): Promise<void> {
  for (const query of FILLS) {
    for (;;) {
      const [set] = await queryByIndexes<{ filled: number; hasBare: boolean }>(pool, query);
      // A statement sees only what was there before it.
      if (!set?.hasBare) break;
      if (set.filled === 0) await sleep(PAUSE_MS);
    }
  }
}
