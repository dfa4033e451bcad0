import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { expireDueInvoices, expireInvoiceNow } from '../invoices/expire.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith } from '../testing/payments.ts';
import { payInvoice } from './pay.ts';
import { recoverPayments } from './recover.ts';

const INVOICES = 1_000;
// The last moment at which an invoice can be paid, and the first at which the sweep takes it.
const END = new Date('2026-11-21T13:00:00.000Z');
const OVER = new Date(END.getTime() + 1);
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const LANES = 20;
const CONTENDERS = 5;
// Delays of 0 to 200 ms: a payment takes a few milliseconds, or many on a busy machine, and cancel
// and expiry must come at any moment of it.
const momentOf = (i: number, step: number) => sleep(((i * step) % 8) ** 2 * 4);

/**
 * All callers that can end an invoice, at its last moment. The invoice is made here and not
 * beforehand, since any sweep takes all that exist.
 */
async function contendersFor(i: number): Promise<(() => Promise<unknown>)[]> {
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  const now = new Date(END.getTime() - 60_000);
  const invoiceId = await createTestInvoice(pool, tenant, { now, endDateMs: END.getTime() });
  const context = { now: END, actor: { type: 'api' } as const };
  const pay = () =>
    payInvoice(pool, invoiceId, cardWith('4242424242424242'), {
      clock: () => END,
      actor: { type: 'buyer' },
      waitMs: 10_000,
      onLateError: (error) => {
        throw error;
      },
    });
  return [
    pay,
    pay,
    () => momentOf(i, 7).then(() => cancelInvoice(pool, tenant, invoiceId, context)),
    () => momentOf(i, 5).then(() => expireInvoiceNow(pool, tenant, invoiceId, context)),
    () => momentOf(i, 3).then(() => expireDueInvoices(pool, { now: OVER, limit: INVOICES })),
  ];
}

/** Runs all at once, in an order that depends on `i`; the one at `first` runs before them. */
async function raceFor(i: number, first?: number): Promise<void> {
  const contenders = await contendersFor(i);
  if (first !== undefined) await contenders[first]?.();
  const turn = i % contenders.length;
  await Promise.all([...contenders.slice(turn), ...contenders.slice(0, turn)].map((run) => run()));
}

test('pay, cancel, expiry and the sweep fired together on 1,000 invoices: one final status, one callback, at most one capture each', async () => {
  const { pool } = database;
  // Each comes first once, so the checks below see every end.
  for (let i = 0; i < CONTENDERS; i++) await raceFor(i, i);
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let i = CONTENDERS + lane; i < INVOICES; i += LANES) await raceFor(i);
    }),
  );
  await recoverPayments(pool, { clock: () => new Date(END.getTime() + 60_000), limit: INVOICES });

  const { rows } = await pool.query<{ status: string; n: number }>(
    'SELECT status::text, count(*)::int AS n FROM invoices GROUP BY 1 ORDER BY 1',
  );
  const counts = Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  expect(counts.PENDING).toBeUndefined();
  expect(Object.keys(counts).sort()).toEqual(['CANCELED', 'EXPIRED', 'PAID']);

  const { rows: odd } = await pool.query(
    `SELECT i.id FROM invoices i
     LEFT JOIN callbacks c ON c.invoice_id = i.id AND c.invoice_status = i.status
     WHERE c.invoice_id IS NULL
        OR (SELECT count(*) FROM invoice_events e WHERE e.invoice_id = i.id) <> 1`,
  );
  expect(odd).toEqual([]);
  expect(await booksDisagree(pool)).toEqual([]);
  const { rows: open } = await pool.query(
    `SELECT id, status FROM payment_attempts WHERE status NOT IN ('captured', 'voided', 'declined')`,
  );
  expect(open).toEqual([]);
}, 120_000);
