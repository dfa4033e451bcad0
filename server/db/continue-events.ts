import type pg from 'pg';
import { inTransaction } from './pool.ts';

/**
 * Far more transactions than could have written between the newest looked at and any other of the
 * same time.
 */
const GAP = 2n ** 32n;

// Positions grow with time, so the newest rows have the greatest.
const LAST = `
  SELECT greatest(
    (SELECT max(position) FROM (SELECT position FROM events ORDER BY at DESC LIMIT 10000) e),
    (SELECT max(created_position)
     FROM (SELECT created_position FROM invoices ORDER BY id DESC LIMIT 10000) i))::text AS last,
    (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + event_offset())::text AS next,
    event_offset()::text AS offset`;

/**
 * Lets the log of events go on after its end in a database that was restored from a logical dump.
 *
 * A dump has the positions of the server that it came from, but transactions get their ids from the
 * new one, which may be smaller: what is written then would stand before what is there already, and
 * whoever has read that would never see it. No transaction that is visible has an id that is yet to
 * be given, so that a position beyond the next one proves a restore; then the offset is raised above
 * all there are. A restore of the server's files, a failover and `pg_upgrade` keep the ids.
 *
 * Runs before the gateway serves, at each start, by the role that owns the function.
 */
export async function continueEvents(pool: pg.Pool): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ last: string | null; next: string; offset: string }>(LAST);
    const [row] = rows;
    if (!row || row.last === null || BigInt(row.last) < BigInt(row.next)) return;
    const offset = BigInt(row.offset) + BigInt(row.last) - BigInt(row.next) + GAP;
    // A function's body takes no parameters; this is a number of ours.
    await db.query(`
      CREATE OR REPLACE FUNCTION event_offset() RETURNS bigint
      LANGUAGE sql IMMUTABLE AS 'SELECT ${offset}::bigint'`);
  });
}
