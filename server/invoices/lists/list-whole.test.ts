import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice, NO_FILTERS } from '../../testing/invoices.ts';
import { listInvoices } from './list.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const COUNT = 7;

let database: TestDatabase;
let merchant: MerchantFixture;
/** Pending, one second apart, the oldest first; the first two and the last have the amount. */
const ids: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  for (let i = 0; i < COUNT; i += 1) {
    const amountMinor = i < 2 || i === COUNT - 1 ? 150_000 : 2_000 + i;
    const now = new Date(NOW.getTime() + i * 1000);
    const invoice = { amountMinor, merchantTransactionId: `order-${i}`, now };
    ids.push(await createTestInvoice(database.pool, merchant.sandbox.tenant, invoice));
  }
});
afterAll(() => database.drop());

/** The invoices on all pages of a search, with this bound for each. */
async function foundBy(search: string, { isWhole }: { isWhole: boolean }): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page = { filters: { ...NO_FILTERS, search }, cursor, limit: 50, isWhole };
    const { tenant } = merchant.sandbox;
    const answer = await listInvoices(database.pool, tenant, page, { lookedAt: 2 });
    expect(isWhole ? answer.pendingSearchedToMs : null).toBeNull();
    found.push(...answer.invoices.map(({ id }) => ids.indexOf(id)));
    cursor = answer.nextCursor;
  } while (cursor !== null);
  return found;
}

it.each(['1500.00', '1500'])(
  'a search for %s that leaves nothing out goes to the end',
  async (text) => {
    expect(await foundBy(text, { isWhole: false })).toEqual([6]);
    expect(await foundBy(text, { isWhole: true })).toEqual([6, 1, 0]);
  },
);

it('four digits, too, are looked for among more pending invoices than a screen would', async () => {
  const { pool } = database;
  const { tenant } = await createMerchantFixture(pool).then(({ sandbox }) => sandbox);
  const oldest = await createTestInvoice(pool, tenant, { amountMinor: 150_000, now: NOW });
  await pool.query(
    `INSERT INTO invoices SELECT (jsonb_populate_record(i, jsonb_build_object(
       'id', i.id || lpad(n::text, 4, '0'), 'merchant_transaction_id', 'more-' || n,
       'amount_minor', 100))).*
     FROM invoices i, generate_series(1, 1000) n WHERE i.id = $1`,
    [oldest],
  );
  const page = { filters: { ...NO_FILTERS, search: '1500' }, cursor: null, limit: 50 };
  const screen = await listInvoices(pool, tenant, page);
  expect(screen).toMatchObject({ invoices: [], nextCursor: null });
  const file = await listInvoices(pool, tenant, { ...page, isWhole: true });
  expect(file.invoices.map(({ id }) => id)).toEqual([oldest]);
});

it('two attempts by one card for each invoice leave nothing out of a page', async () => {
  await database.pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT 'pay_' || n || id, id, 'declined', 'sandbox', 100, 'USD', 'visa', '0002', $2, $2
     FROM unnest($1::text[]) AS id, generate_series(1, 2) n`,
    [ids, NOW],
  );
  const page = { filters: { ...NO_FILTERS, search: '0002' }, cursor: null, limit: COUNT - 2 };
  const answer = await listInvoices(database.pool, merchant.sandbox.tenant, page);
  expect(answer.invoices.map(({ id }) => ids.indexOf(id))).toEqual([6, 5, 4, 3, 2]);
  const rest = { ...page, cursor: answer.nextCursor };
  const { invoices } = await listInvoices(database.pool, merchant.sandbox.tenant, rest);
  expect(invoices.map(({ id }) => ids.indexOf(id))).toEqual([1, 0]);
});
