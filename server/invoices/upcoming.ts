import type { Queryable } from '../db/pool.ts';

// Each slot takes one probe of the partial index, however many invoices end in it.
const SLOTS = `
  SELECT slot + $3::int * interval '1 millisecond' AS at
  FROM generate_series($1::timestamptz, $2::timestamptz, $3::int * interval '1 millisecond') slot
  WHERE EXISTS (
    SELECT 1 FROM invoices
    WHERE status = 'PENDING' AND end_date >= slot
      AND end_date < slot + $3::int * interval '1 millisecond')
  ORDER BY slot`;

/**
 * The times of coming expiries: the ends of the slots of `slotMs` from `from` to `until` that
 * contain the end date of a PENDING invoice.
 */
export async function upcomingExpiries(
  db: Queryable,
  { from, until, slotMs }: { from: Date; until: Date; slotMs: number },
): Promise<Date[]> {
  const values = [from.toISOString(), until.toISOString(), slotMs];
  const { rows } = await db.query<{ at: Date }>({ name: 'expiry_slots', text: SLOTS, values });
  return rows.map(({ at }) => at);
}

const WAITING = `
  SELECT end_date AS since FROM invoices
  WHERE status = 'PENDING' AND end_date < $1::timestamptz AND capture_attempt_id IS NULL
  ORDER BY end_date LIMIT 1`;

/**
 * The end date of the longest-waiting invoice that could be expired now.
 *
 * @returns null if there is none
 */
export async function expiriesWaitingSince(
  db: Queryable,
  { now }: { now: Date },
): Promise<Date | null> {
  const query = { name: 'expiry_waiting', text: WAITING, values: [now.toISOString()] };
  const { rows } = await db.query<{ since: Date }>(query);
  return rows[0]?.since ?? null;
}
