import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cancelInvoice } from './cancel.ts';
import { expireDueInvoices } from './expire.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date('2026-11-21T14:00:00.000Z');
const NO_ADDRESSES = { successUrl: null, errorUrl: null, callbackUrl: null };

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const make = (overrides = {}) =>
  createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW, ...overrides });

/** The status of each invoice, and whether it has a callback. */
async function fates(ids: string[]): Promise<[string, boolean][]> {
  const { rows } = await database.pool.query<{ status: string; told: boolean }>(
    `SELECT i.status, EXISTS (SELECT FROM callbacks c WHERE c.invoice_id = i.id) AS told
     FROM unnest($1::text[]) WITH ORDINALITY AS a (id, place) JOIN invoices i USING (id)
     ORDER BY place`,
    [ids],
  );
  return rows.map(({ status, told }) => [status, told]);
}

test('a link without a callback address is cancelled, and nobody is told', async () => {
  const id = await make(NO_ADDRESSES);
  const asked = { actor: { type: 'api' }, now: NOW } as const;
  const result = await cancelInvoice(database.pool, merchant.sandbox.tenant, id, asked);
  expect(result.outcome).toBe('canceled');
  expect(await fates([id])).toEqual([['CANCELED', false]]);
});

test('in a set that expires, only those with an address have a callback', async () => {
  const ids = [await make(NO_ADDRESSES), await make(), await make({ callbackUrl: null })];
  await expireDueInvoices(database.pool, { now: LATER, limit: 10 });
  expect(await fates(ids)).toEqual([
    ['EXPIRED', false],
    ['EXPIRED', true],
    ['EXPIRED', false],
  ]);
});

test('what the version before enqueues for a link without an address is left out', async () => {
  const id = await make(NO_ADDRESSES);
  await database.pool.query(
    `INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at)
     SELECT 'ntf_' || id, id, merchant_id, environment, callback_url, '', 'PAID', '', now(), now()
     FROM invoices WHERE id = $1`,
    [id],
  );
  expect(await fates([id])).toEqual([['PENDING', false]]);
});
