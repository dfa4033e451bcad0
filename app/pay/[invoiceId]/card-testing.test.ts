import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { vouchForPeers } from '#server/http/peer-address.ts';
import { ADDRESS_LIMIT } from '#server/payments/card-testing.ts';
import { testCardFor } from '#server/payments/providers/sandbox/test-cards.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { pay } from './actions.ts';
import { EMPTY_FORM, type PayFormState } from './form/form-state.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
let requestHeaders: Record<string, string> = {};

vi.mock('next/headers', () => ({ headers: async () => new Headers(requestHeaders) }));
vi.mock('next/cache', () => ({ refresh: () => undefined }));
vi.mock(import('#server/db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => database.pool,
}));

beforeAll(async () => {
  vouchForPeers(0);
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

function order(): Promise<string> {
  const now = new Date();
  const endDateMs = now.getTime() + 3_600_000;
  return createTestInvoice(database.pool, merchant.sandbox.tenant, { now, endDateMs });
}

type Buyer = { address: string; outcome: 'approved' | 'generic_decline'; hasScript?: boolean };

/** Presses the button of the payment page. */
function press(invoiceId: string, { address, outcome, hasScript = true }: Buyer) {
  const script: Record<string, string> = hasScript ? { 'next-action': 'x' } : {};
  const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
  requestHeaders = { ...own, ...script, 'x-gateway-peer': address };
  const form = new FormData();
  const fields = { invoiceId, cardNumber: testCardFor(outcome).number, expiryDate: '12/34' };
  for (const [name, value] of Object.entries({ ...fields, securityCode: '123', nameOnCard: 'A' })) {
    form.set(name, value);
  }
  return pay(EMPTY_FORM, form);
}

const attempts = async () => {
  const sql = 'SELECT count(*)::int AS count FROM payment_attempts';
  return (await database.pool.query<{ count: number }>(sql)).rows[0]?.count;
};

test('120 cards over 12 invoices from one address: so many are tried, and the others told to wait', async () => {
  const address = '203.0.113.7';
  const ids = await Promise.all(Array.from({ length: 12 }, order));
  const answers: PayFormState[] = [];
  for (let round = 0; round < 10; round++) {
    const pressed = ids.map((id) => press(id, { address, outcome: 'generic_decline' }));
    answers.push(...(await Promise.all(pressed)));
  }
  expect(await attempts()).toBe(ADDRESS_LIMIT);
  const told = answers.filter(({ notice }) => notice === 'throttled');
  expect(told).toHaveLength(120 - ADDRESS_LIMIT);
  // Nothing has to be typed again.
  for (const each of told) expect(each).toMatchObject({ waitMin: 10, emptied: [], faults: {} });
  const [id = ''] = ids;
  const hasScript = false;
  expect(await press(id, { address, outcome: 'approved', hasScript })).toMatchObject({
    notice: 'throttled',
  });
  const elsewhere = await press(id, { address: '203.0.113.8', outcome: 'approved' });
  expect(elsewhere.notice).toBeNull();
  const sql = 'SELECT status FROM invoices WHERE id = $1';
  expect((await database.pool.query(sql, [id])).rows).toEqual([{ status: 'PAID' }]);
});
