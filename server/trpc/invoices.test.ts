import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StaffSession } from '../auth/sessions.ts';
import { payInSandbox } from '../payments/providers/sandbox/sandbox-drive.ts';
import { settings } from '../settings/settings.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

const newInvoice = () => createTestInvoice(database.pool, shop.sandboxTenant, { now: NOW });

/** A member of the shop's support who has just signed in. */
async function addPerson(email: string): Promise<StaffSession> {
  const { pool } = database;
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  await setMember(pool, { merchantId: shop.merchantId, userId, role: 'support', now: NOW });
  return await newSession(pool, userId, NOW);
}

const callbackOf = async (invoiceId: string) =>
  (await shop.calls().invoices.read({ invoiceId })).callback;

it('only what is paid has a receipt, and that is not cancelled', async () => {
  const invoiceId = await newInvoice();
  const { invoices } = shop.calls();
  const page = `${settings().publicUrl}/pay/${invoiceId}`;
  expect(await invoices.read({ invoiceId })).toMatchObject({ invoiceUrl: page, receiptUrl: null });
  await payInSandbox(database.pool, shop.sandboxTenant, invoiceId, {
    outcome: 'approved',
    clock: () => NOW,
    actor: { type: 'test' },
    onLateError: () => undefined,
  });
  expect(await invoices.read({ invoiceId })).toMatchObject({
    invoice: { status: 'PAID' },
    receiptUrl: `${page}/receipt`,
    paymentCount: 1,
  });
  await expect(invoices.cancel({ invoiceId })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Invoice cannot be cancelled: it is already PAID',
  });
});

it('cancels what is pending, and nothing of the other environment', async () => {
  const invoiceId = await newInvoice();
  const { invoices } = shop.calls();
  const elsewhere = shop.calls({ environment: 'production' }).invoices.cancel({ invoiceId });
  await expect(elsewhere).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await invoices.cancel({ invoiceId });
  const { invoice, timeline } = await invoices.read({ invoiceId });
  expect(invoice.status).toBe('CANCELED');
  expect(timeline.at(-1)).toMatchObject({ kind: 'status', by: shop.owner.email });
});

it('nothing is cancelled whose payment is being completed', async () => {
  const invoiceId = await newInvoice();
  await database.pool.query(`UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = $1`, [
    invoiceId,
  ]);
  await expect(shop.calls().invoices.cancel({ invoiceId })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('being completed'),
  });
});

it('sends a callback once more, where there is one', async () => {
  const invoiceId = await newInvoice();
  const { invoices, callbacks } = shop.calls();
  const missing = { code: 'NOT_FOUND' };
  await expect(callbacks.resend({ named: invoiceId })).rejects.toMatchObject(missing);
  await invoices.cancel({ invoiceId });
  await database.pool.query(`UPDATE callbacks SET state = 'delivered' WHERE invoice_id = $1`, [
    invoiceId,
  ]);
  await callbacks.resend({ named: invoiceId });
  expect(await callbackOf(invoiceId)).toMatchObject({
    state: 'pending',
    nextAttemptAt: NOW,
    stepsTaken: 0,
    stepCount: 11,
  });
});

it('one by one a person sends 120 callbacks again in ten minutes, and a colleague theirs', async () => {
  const { pool } = database;
  const invoiceId = await newInvoice();
  await shop.calls().invoices.cancel({ invoiceId });
  const busy = await addPerson('busy@example.com');
  const resend = (session: StaffSession, now = NOW) =>
    callerOf(pool, session, { now }).callbacks.resend({ named: invoiceId });
  // All are sent at once, and still counted one by one.
  const asked = await Promise.allSettled(Array.from({ length: 121 }, () => resend(busy)));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([
    {
      reason: {
        code: 'TOO_MANY_REQUESTS',
        message: 'Too many callbacks resent. Wait ten minutes.',
      },
    },
  ]);
  const entries = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_log
       WHERE action = 'callback.resend' AND target_id = $1`,
      [invoiceId],
    );
    return rows[0]?.count;
  };
  expect(await entries()).toBe(120);
  await resend(await addPerson('calm@example.com'));
  await resend(busy, new Date(NOW.getTime() + 10 * 60_000));
  expect(await entries()).toBe(122);
});

it('lists amounts between two bounds, both included', async () => {
  const { pool } = database;
  const other = await createStaffedShop(pool, NOW, 'other@example.com');
  for (const amountMinor of [99, 100, 200, 201]) {
    await createTestInvoice(pool, other.sandboxTenant, { now: NOW, amountMinor });
  }
  const listed = async (filters: { minAmountMinor?: number; maxAmountMinor?: number }) =>
    (await other.calls().invoices.list({ filters })).invoices
      .map(({ amountMinor }) => Number(amountMinor))
      .sort((one, other) => one - other);
  expect(await listed({ minAmountMinor: 100, maxAmountMinor: 200 })).toEqual([100, 200]);
  expect(await listed({ minAmountMinor: 200 })).toEqual([200, 201]);
  expect(await listed({ maxAmountMinor: 100 })).toEqual([99, 100]);
});
