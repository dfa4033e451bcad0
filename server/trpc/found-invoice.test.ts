import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSession } from '../auth/sessions.ts';
import { beginImpersonation } from '../operating/impersonation.ts';
import { addOperator } from '../operating/operators.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let first: StaffedShop;
let second: StaffedShop;
let strange: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  first = await createStaffedShop(pool, NOW);
  second = await createStaffedShop(pool, NOW, 'second@example.com');
  strange = await createStaffedShop(pool, NOW, 'strange@example.com');
  const { userId } = first.owner;
  await setMember(pool, { merchantId: second.merchantId, userId, role: 'viewer', now: NOW });
});
afterAll(() => database.drop());

const placeOf = ({ merchantId }: StaffedShop, hasCallback = false) => ({
  merchant: { id: merchantId, name: 'Shop' },
  environment: 'sandbox',
  hasCallback,
});

it('an invoice is found in the other environment and at another merchant of the person’s', async () => {
  const { pool } = database;
  const own = await createTestInvoice(pool, first.sandboxTenant, { now: NOW });
  const others = await createTestInvoice(pool, second.sandboxTenant, { now: NOW });
  const { invoices } = first.calls({ environment: 'production' });
  expect(await invoices.find({ invoiceId: own })).toEqual(placeOf(first));
  expect(await invoices.find({ invoiceId: others })).toEqual(placeOf(second));
  await second.calls().invoices.cancel({ invoiceId: others });
  expect(await invoices.find({ invoiceId: others })).toEqual(placeOf(second, true));
});

it('a stranger’s invoice is none, and so is that of a merchant whose staff one has left', async () => {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, strange.sandboxTenant, { now: NOW });
  const { invoices } = first.calls();
  expect(await invoices.find({ invoiceId })).toBeNull();
  expect(await invoices.find({ invoiceId: 'inv_none' })).toBeNull();
  const { userId } = first.owner;
  await setMember(pool, { merchantId: strange.merchantId, userId, role: 'viewer', now: NOW });
  expect(await invoices.find({ invoiceId })).toEqual(placeOf(strange));
  await pool.query('DELETE FROM memberships WHERE merchant_id = $1 AND user_id = $2', [
    strange.merchantId,
    userId,
  ]);
  expect(await invoices.find({ invoiceId })).toBeNull();
});

it('nothing is told of a merchant that demands a second factor which the person has not', async () => {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, second.sandboxTenant, { now: NOW });
  const { invoices } = first.calls();
  const demand = (value: boolean) =>
    pool.query('UPDATE merchants SET require_totp = $2 WHERE id = $1', [second.merchantId, value]);
  await demand(true);
  expect(await invoices.find({ invoiceId })).toBeNull();
  await demand(false);
  expect(await invoices.find({ invoiceId })).toEqual(placeOf(second));
});

it('who acts for a merchant finds what it has, for as long as that', async () => {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, strange.sandboxTenant, { now: NOW });
  const email = 'operator@example.com';
  const actor = { type: 'operator', id: null, label: 'test' } as const;
  await addOperator(pool, { email, actor, now: NOW });
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  await setMember(pool, { merchantId: second.merchantId, userId, role: 'viewer', now: NOW });
  const own = await newSession(pool, userId, NOW);
  const { merchantId } = strange;
  const find = async () => {
    const session = await findSession(pool, own.id, NOW);
    if (!session) throw new Error('no session');
    return callerOf(pool, session, { now: NOW, environment: 'production' }).invoices.find({
      invoiceId,
    });
  };
  expect(await find()).toBeNull();
  await beginImpersonation(pool, { sessionId: own.id, merchantId, actor, now: NOW });
  expect(await find()).toEqual(placeOf(strange));
});
