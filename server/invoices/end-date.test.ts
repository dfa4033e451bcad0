import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { expireDueInvoices } from './expire.ts';
import { transition, transitionMany } from './transition.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const END_MS = Date.parse('2026-11-21T13:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

// Reads check the time as well, so that they do not show whether these ways do.
const ways = {
  'the sweep': async (_: string, now: Date) =>
    (await expireDueInvoices(database.pool, { now, limit: 10 })).expired === 1,
  'the transition of one': async (invoiceId: string, now: Date) => {
    const target = { invoiceId, tenant: merchant.sandbox.tenant };
    const context = { actor: { type: 'clock' } as const, now };
    return (await transition(database.pool, target, { trigger: 'expire' }, context)) !== null;
  },
  'the transition of several': async (invoiceId: string, now: Date) => {
    const row = { invoiceId, tenant: merchant.sandbox.tenant, actor: { type: 'clock' } as const };
    const [changed] = await transitionMany(database.pool, 'expire', [{ ...row, now }]);
    return changed !== null;
  },
};

test.each(Object.entries(ways))(
  '%s leaves an invoice that can still be paid, at its end date, and ends it a millisecond later',
  async (_, expire) => {
    const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
    expect(await expire(id, new Date(END_MS))).toBe(false);
    expect(await expire(id, new Date(END_MS + 1))).toBe(true);
  },
);
