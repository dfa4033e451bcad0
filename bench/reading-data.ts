import type pg from 'pg';
import { continueEvents } from '../server/db/continue-events.ts';
import { writeInvoicesOf } from './list-data.ts';
import { say } from './verdicts.ts';

// Rows come as the demo makes them, in the order of time. One currency and one status are kept for
// the oldest invoices only: a list of them in the order of time, newest first, would pass over all
// others. Each invoice gets its place among the events.
const skew = (oldUntil: string): string => `
  CREATE FUNCTION bench_skew() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.created_at > '${oldUntil}' THEN
      IF NEW.currency = 'EUR' THEN NEW.currency := 'USD'; END IF;
      IF NEW.status = 'CANCELED' THEN NEW.status := 'EXPIRED'; END IF;
    END IF;
    NEW.created_position := extract(epoch from NEW.created_at) * 1000;
    RETURN NEW;
  END $$;
  CREATE TRIGGER bench_skew BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION bench_skew()`;

const UNSKEW = 'DROP TRIGGER bench_skew ON invoices; DROP FUNCTION bench_skew()';

// Positions are milliseconds here: written later than `created_position`, and after it in the log.
const POSITION = 'extract(epoch from at)::bigint * 1000';

const EVENTS = `
  INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
  SELECT ${POSITION}, merchant_id, environment, 'invoice.' || lower(status::text), at, id
  FROM (SELECT *, status_changed_at AS at FROM invoices WHERE status <> 'PENDING') i
  ORDER BY at`;

/** The invoices that are made as the demo makes them; all others are copies of theirs. */
const MADE = 100_000;

// $1 copies of each invoice, in the order of time. Each has the time of its original, and ids and
// references of its own.
const copy = (columns: string[]): string => {
  const own: Record<string, string> = {
    id: 'left(id, 14) || left(md5(id || n), 25)',
    merchant_transaction_id: "merchant_transaction_id || '-' || n",
    request_id: 'NULL',
  };
  return `INSERT INTO invoices (${columns})
    SELECT ${columns.map((column) => own[column] ?? column)}
    FROM (SELECT * FROM invoices ORDER BY id) i CROSS JOIN generate_series(1, $1::int) n`;
};

/** Copies all invoices; the indexes are made anew, which takes a tenth of the time of filling them. */
async function copyInvoices(pool: pg.Pool, copies: number): Promise<void> {
  const { rows: columns } = await pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'invoices'",
  );
  const { rows: indexes } = await pool.query<{ name: string; made: string }>(
    `SELECT indexname AS name, indexdef AS made FROM pg_indexes
     WHERE tablename = 'invoices' AND indexname <> 'invoices_pkey'`,
  );
  for (const { name } of indexes) await pool.query(`DROP INDEX "${name}"`);
  await pool.query(copy(columns.map(({ name }) => name)), [copies]);
  for (const { made } of indexes) await pool.query(made);
}

/** One in this many paid invoices, copies apart, is refunded, in two parts. */
const REFUNDED_OF = 25;
const SAMPLES = 200;
const OLD_DAYS = 89.5;
/** The parts in which one invoice is refunded. */
const MANY_PARTS = 200;

// $1 how many parts each gets, $2 the invoices.
const REFUNDS = `
  WITH written AS (
    INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, refund_transaction_id,
      amount_minor, currency, status, created_at, updated_at)
    SELECT 'ref_' || right(i.id, -4) || n, i.merchant_id, i.environment, i.id, i.capture_attempt_id,
      i.id || n, 1, i.currency, 'SUCCEEDED', i.status_changed_at + n * interval '1 hour',
      i.status_changed_at + n * interval '1 hour'
    FROM invoices i CROSS JOIN generate_series(1, $1::int) n
    WHERE i.id = ANY ($2::text[])
    RETURNING *
  ), sums AS (
    UPDATE invoices SET refunded_minor = $1 WHERE id = ANY ($2::text[])
  )
  INSERT INTO events (position, merchant_id, environment, type, at, invoice_id, refund_id)
  SELECT ${POSITION}, merchant_id, environment, 'refund.succeeded', at, invoice_id, id
  FROM (SELECT *, created_at AS at FROM written) w ORDER BY at`;

/** The places in a merchant's lists that are asked for. */
export type ReadingData = {
  /** Invoices all over the time, with their time of payment or null. */
  samples: { id: string; transactionId: string; paidAtMs: number | null }[];
  /** The last page of all begins after it. */
  last: { id: string };
  lastPaid: { id: string; paidAtMs: number };
  refundedIds: string[];
  /** The invoice with the most refunds. */
  manyRefundsId: string;
  middlePosition: bigint;
};

const PAID_AT = `(extract(epoch from status_changed_at) * 1000)::float8 AS "paidAtMs"`;

async function one<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<Row> {
  const { rows } = await pool.query<Row>(text);
  if (!rows[0]) throw new Error('There are too few invoices.');
  return rows[0];
}

async function refund(pool: pg.Pool): Promise<Pick<ReadingData, 'refundedIds' | 'manyRefundsId'>> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM invoices WHERE status = 'PAID' AND request_id IS NOT NULL AND amount_minor > ${MANY_PARTS}
       AND abs(hashtext(id)) % ${REFUNDED_OF} = 0 ORDER BY md5(id)`,
  );
  const [many, ...refundedIds] = rows.map(({ id }) => id);
  if (many === undefined) throw new Error('Too few invoices are paid.');
  await pool.query(REFUNDS, [2, refundedIds]);
  await pool.query(REFUNDS, [MANY_PARTS, [many]]);
  return { refundedIds: refundedIds.slice(0, SAMPLES), manyRefundsId: many };
}

/** One merchant's invoices, refunds and events, with what is rare at the very end of the lists. */
export async function writeReadingData(
  pool: pg.Pool,
  data: { merchantId: string; rows: number; now: Date },
): Promise<ReadingData> {
  const oldUntil = new Date(data.now.getTime() - OLD_DAYS * 86_400_000).toISOString();
  await pool.query(skew(oldUntil));
  await writeInvoicesOf(pool, { ...data, rows: Math.min(data.rows, MADE) });
  await pool.query(UNSKEW);
  if (data.rows > MADE) {
    say('Copying invoices …');
    await copyInvoices(pool, Math.round(data.rows / MADE) - 1);
  }
  say('Writing events and refunds …');
  await pool.query(EVENTS);
  const refunded = await refund(pool);
  await continueEvents(pool);
  await pool.query('VACUUM ANALYZE');
  const samples = await pool.query<ReadingData['samples'][number]>(
    `SELECT id, merchant_transaction_id AS "transactionId",
       CASE WHEN status = 'PAID' THEN (extract(epoch from status_changed_at) * 1000)::float8 END
         AS "paidAtMs"
     FROM invoices ORDER BY md5(id) LIMIT ${SAMPLES}`,
  );
  return {
    ...refunded,
    samples: samples.rows,
    last: await one(pool, 'SELECT id FROM invoices ORDER BY id OFFSET 30 LIMIT 1'),
    lastPaid: await one(
      pool,
      `SELECT id, ${PAID_AT} FROM invoices WHERE status = 'PAID'
       ORDER BY status_changed_at, id OFFSET 30 LIMIT 1`,
    ),
    middlePosition: BigInt(data.now.getTime() - 45 * 86_400_000),
  };
}
