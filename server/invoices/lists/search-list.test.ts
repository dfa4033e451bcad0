import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice, NO_FILTERS } from '../../testing/invoices.ts';
import { countInvoices, listInvoices } from './list.ts';
import type { InvoiceFilters, InvoicePage } from './list-types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let merchant: MerchantFixture;
let other: MerchantFixture;
/** Names of invoices by their ids. */
const names = new Map<string, string>();

/** What two merchants have alike, and somebody else pays in each. */
async function write({ tenant }: { tenant: Tenant }, of: string): Promise<void> {
  const { pool } = database;
  const create = async (name: string, more: object, minutes = 0) => {
    const now = new Date(NOW.getTime() - minutes * 60_000);
    const id = await createTestInvoice(pool, tenant, { now, ...more });
    names.set(id, `${of} ${name}`);
    return id;
  };
  const coffee = await create(
    'coffee',
    { description: 'Кофе “Утро”, two cups', amountMinor: 8_000_000, currency: 'UZS' },
    1,
  );
  await create('tea', { description: 'Tea, 80000 leaves', merchantTransactionId: 'A-17/2026' }, 2);
  const cake = await create('cake', { description: 'Cake', amountMinor: 8_000_000 }, 3);
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     VALUES ($1 || '_att', $1, 'declined', 'sandbox', 1, 'USD', 'visa', '4242', $2, $2)`,
    [cake, NOW],
  );
  await pool.query(
    `INSERT INTO buyer_contacts (invoice_id, address, locale) VALUES ($1, 'Ali.K@mail.uz', 'uz')`,
    [coffee],
  );
  await pool.query(
    `WITH link AS (
       INSERT INTO payment_links (id, code, merchant_id, environment, title, currency, amount_minor,
         asks_note, asks_email, asks_phone, created_at)
       VALUES ($1 || '_link', $2, $3, $4::environment, 'Cake', 'USD', 1, 'off', 'off', 'off', $5)
       RETURNING id
     )
     INSERT INTO payment_link_uses (invoice_id, link_id, quantity, email)
     SELECT $1, id, 1, 'ali.k@mail.uz' FROM link`,
    [cake, `Code-${of}`, tenant.merchantId, tenant.environment, NOW],
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  other = await createMerchantFixture(database.pool);
  await write(merchant.sandbox, 'own');
  await write(other.sandbox, 'other');
});
afterAll(() => database.drop());

async function found(
  search: string,
  { findsBuyers = true, ...more }: Partial<InvoiceFilters> & { findsBuyers?: boolean } = {},
): Promise<string[]> {
  const { tenant } = merchant.sandbox;
  const filters = { ...NO_FILTERS, ...more, search };
  const page = { filters, cursor: null, limit: 10, findsBuyers };
  const { invoices } = await listInvoices(database.pool, tenant, page);
  const total = await countInvoices(database.pool, tenant, filters, { findsBuyers });
  expect(total).toEqual({ count: invoices.length, isMore: false });
  return invoices.map(({ id }) => names.get(id) ?? '');
}

const idOf = (name: string) => [...names].find(([, each]) => each === name)?.[0] ?? '';

it.each([
  ['a part of a description, in any case', 'КОФЕ', ['own coffee']],
  ['words that are all in it, in any order', 'cups кофе', ['own coffee']],
  ['words of which one is not in it', 'cups tea', []],
  ['other quotation marks', '"утро"', ['own coffee']],
  ['a part of an order number', '17/20', ['own tea']],
  ['an amount, in an amount and in a text', '80000', ['own coffee', 'own tea', 'own cake']],
  ['an amount as only amounts are written', '80 000,00 сум', ['own coffee', 'own cake']],
  ['a word and an amount', 'кофе 80000', ['own coffee']],
  ['a word and a number in the same text', 'tea 80000', ['own tea']],
  ['a card and an amount', '4242 80000', ['own cake']],
  ['a card and another amount', '4242 80001', []],
  ['a word and a card', 'cake 4242', ['own cake']],
  ['a buyer’s address', 'ali.k@mail.uz', ['own coffee', 'own cake']],
  ['the beginning of one', 'ALI.K@', ['own coffee', 'own cake']],
  ['an address and a word', 'ali.k@mail.uz cake', ['own cake']],
  ['an address and an amount', '80000 ali.k@mail.uz', ['own coffee', 'own cake']],
  ['a reusable link', 'https://pay.shop.uz/link/Code-own', ['own cake']],
  ['another merchant’s reusable link', 'https://pay.shop.uz/link/Code-other', []],
  ['nothing there', 'coffees', []],
])('%s', async (_, search, expected) => {
  expect(await found(search)).toEqual(expected);
});

it('a payment link, the beginning of an id and its end, of the merchant’s own only', async () => {
  for (const [name, expected] of [
    ['own coffee', ['own coffee']],
    ['other coffee', []],
  ] as const) {
    const id = idOf(name);
    expect(await found(`https://pay.shop.uz/ru/pay/${id}?from=x`)).toEqual(expected);
    expect(await found(id.slice(0, 24))).toEqual(expected);
    expect(await found(id.slice(-12))).toEqual(expected);
    expect(await found(`…${id.slice(-12)}`)).toEqual(expected);
  }
});

it('no buyer’s address for whoever may not know it', async () => {
  for (const search of ['ali.k@mail.uz', '80000 ali.k@mail.uz', 'cake ali.k@mail.uz']) {
    expect(await found(search, { findsBuyers: false })).toEqual([]);
  }
});

it('words within the other filters, and page by page', async () => {
  expect(await found('cups', { currency: 'USD' })).toEqual([]);
  expect(await found('cups', { currency: 'UZS' })).toEqual(['own coffee']);
  const { tenant } = merchant.sandbox;
  const pages: string[] = [];
  let cursor: string | null = null;
  do {
    const filters = { ...NO_FILTERS, search: '80000' };
    const page: InvoicePage = await listInvoices(database.pool, tenant, {
      filters,
      cursor,
      limit: 1,
    });
    pages.push(...page.invoices.map(({ id }) => names.get(id) ?? ''));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(pages).toEqual(['own coffee', 'own tea', 'own cake']);
});
