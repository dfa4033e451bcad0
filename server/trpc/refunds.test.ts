import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import type { Role } from '../merchants/types.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createPaidInvoice } from '../testing/refunds.ts';
import { createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

async function callsOf(role: Role) {
  const { pool } = database;
  const person = { email: `${role}@example.com`, password: 'correct horse battery', now: NOW };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
  const session = await newSession(pool, userId, NOW);
  const request = { db: pool, environment: 'sandbox', address: null, now: NOW } as const;
  return createCaller(contextOf(session, request));
}

const paid = () =>
  createPaidInvoice(database.pool, grantTenant(shop.merchantId, 'sandbox'), { now: NOW });

it('finance refunds once however often a form is sent, sees it, and it stands in the audit log', async () => {
  const api = await callsOf('finance');
  const invoiceId = await paid();
  const form = { invoiceId, formKey: randomUUID(), amountMinor: 500, reason: 'One ticket' };
  const made = await api.refunds.create(form);
  expect(made).toMatchObject({ status: 'SUCCEEDED', amountMinor: 500n, reason: 'One ticket' });
  await expect(api.refunds.create(form)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await api.refunds.list({ invoiceId })).toEqual({
    invoiceId,
    refunds: [made],
    currency: 'USD',
    refundedMinor: 500n,
    refundableMinor: 1000n,
    acquirer: { title: 'sandbox', refunds: 'partial' },
  });
  const { rows } = await database.pool.query(
    `SELECT actor_label, details->>'refund' AS refund FROM audit_log
     WHERE action = 'refund.create' AND target_id = $1`,
    [invoiceId],
  );
  expect(rows).toEqual([{ actor_label: 'finance@example.com', refund: made.id }]);
});

it('more than is left is refused by its reason', async () => {
  const api = await callsOf('owner');
  const asked = { invoiceId: await paid(), formKey: randomUUID(), reason: null };
  await expect(api.refunds.create({ ...asked, amountMinor: 1501 })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Refund exceeds the refundable amount: 1500',
  });
});

it.each(['developer', 'support', 'viewer'] as const)('a %s gives nothing back', async (role) => {
  const api = await callsOf(role);
  const asked = { invoiceId: await paid(), formKey: randomUUID(), amountMinor: null, reason: null };
  await expect(api.refunds.create(asked)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await api.refunds.list(asked)).refunds).toEqual([]);
});

it('finance reads everything and makes no tokens', async () => {
  const api = await callsOf('finance');
  for (const read of [
    () => api.developers.tokens(),
    () => api.invoices.list({}),
    () => api.audit.list({}),
    () => api.team.members(),
  ]) {
    await expect(read()).resolves.toBeDefined();
  }
  await expect(api.developers.createToken({ name: 'x' } as never)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});
