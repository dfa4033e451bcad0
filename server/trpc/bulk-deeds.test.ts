import { afterAll, beforeAll, expect, it } from 'vitest';
import { setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let shop: StaffedShop;
let other: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
  other = await createStaffedShop(database.pool, NOW, 'other@example.com');
});
afterAll(() => database.drop());

const invoiceOf = ({ sandboxTenant }: StaffedShop) =>
  createTestInvoice(database.pool, sandboxTenant, { now: NOW });

async function statusOf(id: string): Promise<string | undefined> {
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [id]);
  return rows[0]?.status;
}

async function logged(action: string, ids: string[]): Promise<string[]> {
  const { rows } = await database.pool.query(
    'SELECT target_id FROM audit_log WHERE action = $1 AND target_id = ANY ($2) ORDER BY id',
    [action, ids],
  );
  return rows.map(({ target_id }) => target_id);
}

it('each pending invoice is cancelled and logged once, and every other is told with its reason', async () => {
  const { pool } = database;
  const [first, second, paid, capturing, before] = [
    await invoiceOf(shop),
    await invoiceOf(shop),
    await invoiceOf(shop),
    await invoiceOf(shop),
    await invoiceOf(shop),
  ];
  const foreign = await invoiceOf(other);
  await pool.query(
    `UPDATE invoices SET capture_attempt_id = 'pay_x',
       status = CASE id WHEN $1 THEN 'PAID' ELSE status END WHERE id IN ($1, $2)`,
    [paid, capturing],
  );
  const { invoices } = shop.calls();
  await invoices.cancel({ invoiceId: before });
  const invoiceIds = [first, paid, foreign, capturing, before, second, first];
  const { done, refused } = await invoices.cancelEach({ invoiceIds });
  expect(done).toBe(2);
  expect(refused).toEqual([
    { at: 1, reason: 'Invoice cannot be cancelled: it is already PAID' },
    { at: 2, reason: 'Invoice not found.' },
    { at: 3, reason: expect.stringContaining('a payment is being completed') },
    { at: 4, reason: 'Invoice cannot be cancelled: it is already CANCELED' },
  ]);
  expect(await Promise.all([first, second, paid, capturing].map(statusOf))).toEqual([
    'CANCELED',
    'CANCELED',
    'PAID',
    'PENDING',
  ]);
  expect(await statusOf(foreign)).toBe('PENDING');
  expect(await logged('invoice.cancel', invoiceIds)).toEqual([before, first, second]);
});

it('two who cancel the same invoices at once cancel each of them once', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => invoiceOf(shop)));
  const { invoices } = shop.calls();
  const answers = await Promise.all([
    invoices.cancelEach({ invoiceIds: ids }),
    invoices.cancelEach({ invoiceIds: ids.toReversed() }),
  ]);
  expect(answers.reduce((sum, { done }) => sum + done, 0)).toBe(ids.length);
  expect((await logged('invoice.cancel', ids)).toSorted()).toEqual(ids.toSorted());
});

it('each callback is sent again and logged, and who has none or is a stranger’s is told', async () => {
  const { callbacks, invoices } = shop.calls();
  const [canceled, pending, foreign] = [
    await invoiceOf(shop),
    await invoiceOf(shop),
    await invoiceOf(other),
  ];
  await invoices.cancel({ invoiceId: canceled });
  await other.calls().invoices.cancel({ invoiceId: foreign });
  await database.pool.query(`UPDATE callbacks SET state = 'delivered', attempt_count = 1`);
  const names = [canceled, pending, foreign];
  expect(await callbacks.resendEach({ names })).toEqual({
    done: 1,
    refused: [1, 2].map((at) => ({ at, reason: 'Callback not found.' })),
  });
  const { rows } = await database.pool.query(
    'SELECT invoice_id AS id, state FROM callbacks WHERE invoice_id = ANY ($1) ORDER BY state',
    [names],
  );
  expect(rows).toEqual([
    { id: canceled, state: 'pending' },
    { id: foreign, state: 'delivered' },
  ]);
  expect(await logged('callback.resend', names)).toEqual([canceled]);
});

it('a viewer does neither, nobody acts on more than 200 at once, and resends are rationed', async () => {
  const { pool } = database;
  const { merchantId } = shop;
  const { userId } = other.owner;
  await setMember(pool, { merchantId, userId, role: 'viewer', now: new Date(0) });
  const session = await newSession(pool, userId, NOW);
  const viewer = callerOf(
    pool,
    {
      ...session,
      merchant: session.merchant && { ...session.merchant, id: merchantId, role: 'viewer' },
    },
    { now: NOW },
  );
  const one = await invoiceOf(shop);
  const forbidden = { code: 'FORBIDDEN' };
  await expect(viewer.invoices.cancelEach({ invoiceIds: [one] })).rejects.toMatchObject(forbidden);
  await expect(viewer.callbacks.resendEach({ names: [one] })).rejects.toMatchObject(forbidden);
  const many = Array.from({ length: 201 }, (_, at) => `inv_${at}`);
  const { callbacks, invoices } = shop.calls();
  const wrong = { code: 'BAD_REQUEST' };
  await expect(invoices.cancelEach({ invoiceIds: many })).rejects.toMatchObject(wrong);
  await expect(callbacks.resendEach({ names: many })).rejects.toMatchObject(wrong);
  const asked = await Promise.allSettled(
    Array.from({ length: 14 }, () => callbacks.resendEach({ names: [one] })),
  );
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(refused).toMatchObject(refused.map(() => ({ reason: { code: 'TOO_MANY_REQUESTS' } })));
  expect(await statusOf(one)).toBe('PENDING');
});
