import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { writePayments } from '../testing/register.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const PAYMENT = { atMs: NOW.getTime(), amountMinor: 100, feeMinor: null, refunds: [] };

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newShop = () => createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);

async function done(shop: StaffedShop): Promise<string[] | undefined> {
  const steps = await shop.calls().overview.checklist();
  return steps?.flatMap(({ step, isDone }) => (isDone ? [step] : []));
}

it('each step ticks itself, and the first real payment ends the list', async () => {
  const shop = await newShop();
  const { pool } = database;
  const { merchantId } = shop;
  expect(await done(shop)).toEqual([]);
  await pool.query(
    `UPDATE merchants SET legal_name = 'Shop LLC', support_email = 'help@shop.example' WHERE id = $1`,
    [merchantId],
  );
  await writePayments(pool, shop.sandboxTenant, [{ ...PAYMENT, currency: 'USD' }]);
  await shop.calls().team.invite({ email: 'colleague@shop.example', role: 'viewer', locale: 'en' });
  expect(await done(shop)).toEqual(['seller', 'testPayment', 'colleague']);
  const production = grantTenant(merchantId, 'production');
  await createTestInvoice(pool, production, { now: NOW });
  expect(await done(shop)).toEqual(['seller', 'testPayment', 'colleague', 'live']);
  await writePayments(pool, production, [{ ...PAYMENT, currency: 'UZS' }]);
  expect(await done(shop)).toBeUndefined();
});

it('a list that was put away stays away, in both environments, and only there', async () => {
  const [shop, other] = [await newShop(), await newShop()];
  await shop.calls().overview.dismissChecklist();
  await shop.calls().overview.dismissChecklist();
  expect(await done(shop)).toBeUndefined();
  expect(await shop.calls({ environment: 'production' }).overview.checklist()).toBeNull();
  expect(await done(other)).toEqual([]);
});
