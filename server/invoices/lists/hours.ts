import type pg from 'pg';
import { inTransaction, type Queryable, queryAtLength } from '../../db/pool.ts';
import { idBefore, timeOfId } from '../../lib/ids.ts';

export const HOUR_MS = 3_600_000;
/** Days begin at a multiple of this in every zone. */
export const QUARTER_MS = HOUR_MS / 4;

// Ids tell the time when a create began. This long after its end an hour gets no new invoice:
// neither by a create that waited nor by a machine whose clock is behind. The trigger for late
// payments relies on more than half an hour.
const CLOSED_AFTER_MS = HOUR_MS;

// The number differs from every other advisory lock of the gateway.
const HOURS_LOCK = 4_710_004;

const hourOfQuarter = `date_trunc('hour', quarter, 'UTC')`;

// One statement is one snapshot: either the sums know an invoice's outcome, or it is among the
// unsummed as still pending. $1 quarters of hours, $2 and $3 their ids: from, and before. $4 now.
const SUM = `
  WITH quarters AS (
    SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[]) AS q (quarter, from_id, until_id)
  ), late AS (
    INSERT INTO unsummed_invoices (merchant_id, environment, invoice_id, quarter, look_at)
    SELECT i.merchant_id, i.environment, i.id, q.quarter,
           least($4::timestamptz + interval '1 hour', i.end_date + interval '1 minute')
    FROM quarters q JOIN invoices i ON i.id >= q.from_id AND i.id < q.until_id
    -- Not among the conditions, where PostgreSQL might walk all that are pending.
    WHERE (SELECT i.status = 'PENDING')
  ), summed AS (
    INSERT INTO invoice_quarter_sums
      (merchant_id, environment, quarter, currency, created, paid, paid_minor)
    SELECT i.merchant_id, i.environment, q.quarter, i.currency, count(*),
           count(*) FILTER (WHERE i.status = 'PAID'),
           coalesce(sum(i.amount_minor) FILTER (WHERE i.status = 'PAID'), 0)
    FROM quarters q JOIN invoices i ON i.id >= q.from_id AND i.id < q.until_id
    GROUP BY i.merchant_id, i.environment, q.quarter, i.currency
    RETURNING merchant_id, environment, quarter, currency, created, paid, paid_minor
  )
  INSERT INTO invoice_hour_sums (merchant_id, environment, hour, currency, created, paid, paid_minor)
  SELECT merchant_id, environment, ${hourOfQuarter}, currency, sum(created), sum(paid),
         sum(paid_minor)
  FROM summed GROUP BY merchant_id, environment, ${hourOfQuarter}, currency`;

const PROGRESS = `
  INSERT INTO invoice_sums_progress (summed_until, summed_until_id) VALUES ($1::timestamptz, $2::text)
  ON CONFLICT (id) DO UPDATE
    SET summed_until = excluded.summed_until, summed_until_id = excluded.summed_until_id`;

// One statement removes a late invoice from `unsummed_invoices` and adds it to its sums. Known paid
// ones come first (`late_payments`); one of these that is not unsummed is already counted, or will
// be with its hour: none is summed up meanwhile. Pending ones are checked again at twice their age,
// or at their end; those gone from `invoices` are dropped.
const LATE = `
  WITH told AS (
    DELETE FROM late_payments WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM late_payments LIMIT $2::int))
    RETURNING merchant_id, environment, invoice_id
  ), due AS (
    SELECT merchant_id, environment, invoice_id FROM told
    UNION (
      SELECT merchant_id, environment, invoice_id FROM unsummed_invoices
      WHERE look_at <= $1::timestamptz ORDER BY look_at
      LIMIT $2::int - (SELECT count(*) FROM told))
  ), ended AS (
    DELETE FROM unsummed_invoices l USING due d LEFT JOIN invoices i ON i.id = d.invoice_id
    WHERE (l.merchant_id, l.environment, l.invoice_id) = (d.merchant_id, d.environment, d.invoice_id)
      AND i.status IS DISTINCT FROM 'PENDING'
    RETURNING l.merchant_id, l.environment, l.quarter, i.currency, i.status, i.amount_minor
  ), paid AS (
    SELECT merchant_id, environment, quarter, currency, count(*) AS paid,
           sum(amount_minor) AS paid_minor
    FROM ended WHERE status = 'PAID' GROUP BY merchant_id, environment, quarter, currency
  ), quarters AS (
    UPDATE invoice_quarter_sums q
    SET paid = q.paid + p.paid, paid_minor = q.paid_minor + p.paid_minor
    FROM paid p
    WHERE (q.merchant_id, q.environment, q.quarter, q.currency)
      = (p.merchant_id, p.environment, p.quarter, p.currency)
  ), hours AS (
    UPDATE invoice_hour_sums h SET paid = h.paid + p.paid, paid_minor = h.paid_minor + p.paid_minor
    FROM (SELECT merchant_id, environment, ${hourOfQuarter} AS hour, currency, sum(paid) AS paid,
                 sum(paid_minor) AS paid_minor
          FROM paid GROUP BY merchant_id, environment, ${hourOfQuarter}, currency) p
    WHERE (h.merchant_id, h.environment, h.hour, h.currency)
      = (p.merchant_id, p.environment, p.hour, p.currency)
  ), waiting AS (
    UPDATE unsummed_invoices l
    SET look_at = least($1::timestamptz + ($1::timestamptz - l.quarter),
      greatest(i.end_date, $1::timestamptz) + interval '1 minute')
    FROM due d, invoices i
    WHERE (l.merchant_id, l.environment, l.invoice_id) = (d.merchant_id, d.environment, d.invoice_id)
      AND i.id = l.invoice_id AND i.status = 'PENDING'
  )
  SELECT count(*)::int AS looked_at FROM due`;

// One process at a time writes here, so that no deadlock is possible.
const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${HOURS_LOCK}) AS free, now() AS db_now`;
type Lock = { free: boolean; db_now: Date };

const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS) * HOUR_MS;

async function summedUntil(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ summed_until: Date }>(
    'SELECT summed_until FROM invoice_sums_progress',
  );
  return rows[0]?.summed_until.getTime() ?? 0;
}

const keepProgress = (db: Queryable, untilMs: number) =>
  db.query(PROGRESS, [new Date(untilMs).toISOString(), idBefore('inv', untilMs)]);

/** The next hour with an invoice, or `otherwiseMs`. */
async function nextHour(db: Queryable, fromMs: number, otherwiseMs: number): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM invoices WHERE id >= $1::text ORDER BY id LIMIT 1',
    [idBefore('inv', fromMs)],
  );
  return rows[0] ? Math.max(fromMs, hourOf(timeOfId(rows[0].id))) : otherwiseMs;
}

/**
 * Sums up the invoices of up to `limit` hours that have been over for at least an hour, of all
 * merchants, by the hour and by its quarters. It is whole or nothing, and one process at a time: a
 * second process leaves the work to the first.
 *
 * Sums of future hours come from a database clock that was ahead. They are forgotten, because new
 * invoices in these hours would never count.
 *
 * @returns the number of hours
 */
export async function sumClosedHours(
  pool: pg.Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<Lock>(TRY_LOCK);
    if (!rows[0]?.free) return 0;
    // Sums are never checked again, so a worker whose clock is ahead may not judge.
    const dbNowMs = rows[0].db_now.getTime();
    const nowMs = Math.min(now.getTime(), dbNowMs);
    const closedMs = hourOf(nowMs - CLOSED_AFTER_MS);
    const summedMs = await summedUntil(db);
    const openMs = hourOf(dbNowMs - CLOSED_AFTER_MS);
    if (summedMs > openMs) await forgetHours(db, openMs);
    if (summedMs >= closedMs) return 0;
    const fromMs = Math.min(await nextHour(db, summedMs, closedMs), closedMs);
    const untilMs = Math.min(fromMs + limit * HOUR_MS, closedMs);
    const quarters: number[] = [];
    for (let timeMs = fromMs; timeMs < untilMs; timeMs += QUARTER_MS) quarters.push(timeMs);
    // Full hours after a standstill may take longer than a statement may.
    await queryAtLength(db, {
      name: 'invoice_sums',
      text: SUM,
      values: [
        quarters.map((timeMs) => new Date(timeMs).toISOString()),
        quarters.map((timeMs) => idBefore('inv', timeMs)),
        quarters.map((timeMs) => idBefore('inv', timeMs + QUARTER_MS)),
        now.toISOString(),
      ],
    });
    await keepProgress(db, untilMs);
    return (untilMs - fromMs) / HOUR_MS;
  });
}

/**
 * Adds invoices paid after their hours were summed up. It only affects how many invoices the
 * overview reads one by one. One process at a time, as above.
 *
 * @returns the number of invoices checked, at most `limit`
 */
export async function sumLateInvoices(
  pool: pg.Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return await inTransaction(pool, async (db) => {
    const lock = await db.query<Lock>(TRY_LOCK);
    if (!lock.rows[0]?.free) return 0;
    const { rows } = await db.query<{ looked_at: number }>({
      name: 'unsummed_invoices',
      text: LATE,
      values: [now.toISOString(), limit],
    });
    return rows[0]?.looked_at ?? 0;
  });
}

/**
 * Has the hours from then on summed up anew: called in the transaction that writes invoices of an
 * earlier time (made-up ones; a create never does).
 */
export async function forgetHours(db: Queryable, fromMs: number): Promise<void> {
  const hourMs = hourOf(fromMs);
  await db.query(`SELECT pg_advisory_xact_lock(${HOURS_LOCK})`);
  if ((await summedUntil(db)) <= hourMs) return;
  const since = [new Date(hourMs).toISOString()];
  await db.query('DELETE FROM invoice_hour_sums WHERE hour >= $1::timestamptz', since);
  await db.query('DELETE FROM invoice_quarter_sums WHERE quarter >= $1::timestamptz', since);
  await db.query('DELETE FROM unsummed_invoices WHERE quarter >= $1::timestamptz', since);
  await keepProgress(db, hourMs);
}
