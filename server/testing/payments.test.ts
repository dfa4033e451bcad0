import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { payInvoice } from '../payments/pay.ts';
import { createTestDatabase, type TestDatabase } from './database/database.ts';
import { createMerchantFixture, type MerchantFixture } from './factories.ts';
import { createTestInvoice } from './invoices.ts';
import { booksDisagree, cardWith } from './payments.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

async function paidInvoice(): Promise<string> {
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
  const paid = await payInvoice(database.pool, id, cardWith('4242424242424242'), {
    clock: () => NOW,
    actor: { type: 'buyer' },
    waitMs: 5_000,
    onLateError: () => undefined,
  });
  expect(paid).toMatchObject({ attempt: { status: 'captured' } });
  return id;
}

const ENTRIES = `sandbox_ledger_entries e USING sandbox_authorisations a, payment_attempts p
  WHERE a.id = e.authorisation_id AND p.id = a.idempotency_key AND p.invoice_id = $1`;

/** Manual changes that make the books disagree. */
const WRONGS: Record<string, string> = {
  'a capture of an invoice that is not paid': `
    UPDATE invoices SET status = 'PENDING' WHERE id = $1`,
  'a capture of another amount, of an invoice that is not paid': `
    UPDATE invoices SET status = 'CANCELED', amount_minor = amount_minor + 1 WHERE id = $1`,
  'a capture of another amount': `
    UPDATE invoices SET amount_minor = amount_minor + 1 WHERE id = $1`,
  'a capture in another currency': `
    UPDATE invoices SET currency = 'EUR' WHERE id = $1`,
  'a capture by another attempt than the invoice names': `
    UPDATE invoices SET capture_attempt_id = '${newId('pay', NOW.getTime())}' WHERE id = $1`,
  'a paid invoice without a capture': `
    WITH gone AS (DELETE FROM ${ENTRIES} AND e.kind = 'capture' RETURNING e.authorisation_id)
    INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
    SELECT authorisation_id, 'void', 1500, 'USD', now() FROM gone`,
  'an authorisation that nobody closes': `
    WITH gone AS (DELETE FROM ${ENTRIES} AND e.kind = 'capture')
    UPDATE invoices SET status = 'EXPIRED' WHERE id = $1`,
};

test.each(Object.entries(WRONGS))('the books name %s', async (_, wrong) => {
  // An unchanged payment, which is not reported.
  await paidInvoice();
  const id = await paidInvoice();
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    // The database's own rules would otherwise prevent this.
    await client.query('SET LOCAL session_replication_role = replica');
    expect(await booksDisagree(client)).toEqual([]);
    await client.query(wrong, [id]);
    expect(await booksDisagree(client)).toEqual([id]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
