import type pg from 'pg';
import { seedDemo } from '../server/demo/seed.ts';
import { sumClosedHours } from '../server/invoices/lists/hours.ts';
import { say } from './verdicts.ts';

const SAY_EVERY = 100_000;
const PENDING_SHARE = 0.1;
const HOURS_AT_ONCE = 24;

/** An invoice to search for. */
export type Sample = { id: string; transactionId: string; amount: string };

// Made-up callbacks wait for nothing; here one in a hundred is made to wait, as on a bad day.
const WAITING = `
  UPDATE callbacks SET state = 'pending', next_attempt_at = now() + interval '1 day',
    delivered_at = NULL, last_reason = 'answered 500, not 200', last_http_status = 500
  WHERE hashtext(invoice_id) % 100 = 0`;

// Made-up invoices are paid or end; this many of the newest are made pending, as in a shop whose
// buyers take weeks.
const PENDING = `
  INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
    currency, description, positions, success_url, error_url, callback_url, end_date, created_at,
    status_changed_at, request_id)
  SELECT left(id, 14) || left(md5(id), 25), merchant_id, environment,
    'later-' || merchant_transaction_id, amount_minor, currency, description, positions, success_url,
    error_url, callback_url, created_at + interval '60 days', created_at, created_at,
    'later-' || request_id
  FROM (SELECT * FROM invoices ORDER BY id DESC LIMIT $1) newest ORDER BY id`;

// A create of each invoice in the request log, one in thirty refused before a good one.
const REQUESTS = `
  INSERT INTO api_requests (at, merchant_id, environment, token_id, request_id, method, path,
    status, duration_ms, message, faults, invoice_id, merchant_transaction_id)
  SELECT created_at, merchant_id, environment, 'tok_none', request_id, 'POST',
    '/api/sandbox/invoice/create', CASE WHEN bad THEN 422 ELSE 200 END, 3.2, NULL,
    CASE WHEN bad THEN '[{"loc":["body","amount"],"msg":"Field required","type":"missing"}]' END,
    CASE WHEN NOT bad THEN id END, merchant_transaction_id
  FROM (SELECT *, hashtext(id) % 30 = 0 AS bad FROM invoices) i ORDER BY id`;

async function writeInvoices(pool: pg.Pool, merchantId: string, rows: number, now: Date) {
  let told = 0;
  await seedDemo(pool, {
    merchantId,
    invoices: rows,
    seed: 1,
    publicUrl: 'http://localhost:3000',
    actor: { type: 'operator', id: null, label: 'bench' },
    now,
    onProgress: (written) => {
      if (written - told < SAY_EVERY) return;
      told = written;
      say(`${written.toLocaleString('en')} of ${rows.toLocaleString('en')} invoices`);
    },
  });
}

type Data = { merchantId: string; rows: number; now: Date };

/** One merchant's invoices, a tenth of them pending, with their payments and callbacks. */
export async function writeInvoicesOf(
  pool: pg.Pool,
  { merchantId, rows, now }: Data,
): Promise<void> {
  const pending = Math.round(rows * PENDING_SHARE);
  await writeInvoices(pool, merchantId, rows - pending, now);
  await pool.query(PENDING, [pending]);
}

/** Such invoices, and requests, summed up as by workers. */
export async function writeListData(pool: pg.Pool, data: Data): Promise<Sample[]> {
  const { now } = data;
  await writeInvoicesOf(pool, data);
  await pool.query(WAITING);
  await pool.query(REQUESTS);
  let summed = HOURS_AT_ONCE;
  while (summed === HOURS_AT_ONCE) {
    summed = await sumClosedHours(pool, { now, limit: HOURS_AT_ONCE });
  }
  await pool.query('VACUUM ANALYZE');
  const samples = await pool.query<Sample>(
    `SELECT id, merchant_transaction_id AS "transactionId", (amount_minor / 100)::text AS amount
     FROM invoices ORDER BY md5(id) LIMIT 50`,
  );
  return samples.rows;
}
