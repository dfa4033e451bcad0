import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Role } from '../merchants/types.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createPaidInvoice, refundBooksDisagree } from '../testing/refunds.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(async () => {
  expect(await refundBooksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const paid = (now = NOW) => createPaidInvoice(database.pool, shop.sandboxTenant, { now });

const formOf = (invoiceId: string, amountMinor = 500, reason: string | null = null) => ({
  formKey: randomUUID(),
  invoiceId,
  amountMinor,
  reason,
});

/** The procedures as another of the shop's staff calls them. */
async function callsOf(role: Role) {
  const { pool } = database;
  const person = { email: `${role}@example.com`, password: 'correct horse battery', now: NOW };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
  return callerOf(pool, await newSession(pool, userId, NOW), { now: NOW });
}

it('a part goes back, and the invoice tells who asked, what is left and what can still go', async () => {
  const invoiceId = await paid();
  const api = shop.calls();
  const form = formOf(invoiceId, 500, 'one item is out of stock');
  expect(await api.refunds.create(form)).toMatchObject({ status: 'SUCCEEDED' });
  const { refunds, timeline } = await api.invoices.read({ invoiceId });
  expect(refunds).toMatchObject({
    refundedMinor: 500n,
    refundableMinor: 1_000n,
    acquirer: { title: 'sandbox', refunds: 'partial' },
    refunds: [
      {
        amountMinor: 500n,
        status: 'SUCCEEDED',
        reason: 'one item is out of stock',
        author: { type: 'staff', email: 'owner@example.com', requestId: null },
      },
    ],
  });
  const told = timeline.map((entry) => (entry.kind === 'refund' ? entry.step : entry.kind));
  expect(told.slice(-2)).toEqual(['asked', 'succeeded']);
  expect(told).not.toContain('staff');
  const { rows } = await database.pool.query(
    `SELECT actor_label, details->>'refund' AS refund FROM audit_log
     WHERE action = 'refund.create' AND target_id = $1`,
    [invoiceId],
  );
  expect(rows).toEqual([{ actor_label: 'owner@example.com', refund: refunds?.refunds[0]?.id }]);
});

it('a form that is sent again refunds nothing more, and its key serves no other refund', async () => {
  const invoiceId = await paid();
  const { refunds } = shop.calls();
  const form = formOf(invoiceId);
  const first = await refunds.create(form);
  expect(await refunds.create(form)).toEqual(first);
  await expect(refunds.create({ ...form, amountMinor: 600 })).rejects.toThrow(
    'This form has already been sent.',
  );
  const { refunds: all } = await shop.calls().invoices.read({ invoiceId });
  expect(all).toMatchObject({ refundedMinor: 500n, refunds: [{ amountMinor: 500n }] });
});

it('more than is left is refused with what is left, and what failed is free again', async () => {
  const invoiceId = await paid();
  const { refunds, invoices } = shop.calls();
  const failed = await refunds.create(formOf(invoiceId, 1_500, 'test:fail'));
  expect(failed).toMatchObject({ status: 'FAILED', failureReason: expect.any(String) });
  await refunds.create(formOf(invoiceId, 1_200));
  await expect(refunds.create(formOf(invoiceId, 301))).rejects.toThrow(
    'Refund exceeds the refundable amount: 300',
  );
  const { timeline } = await invoices.read({ invoiceId });
  const steps = timeline.flatMap((entry) => (entry.kind === 'refund' ? entry.step : []));
  expect(steps).toEqual(['asked', 'failed', 'asked', 'succeeded']);
});

it('an invoice that is not paid has no refunds to speak of', async () => {
  const made = await shop.calls().paymentLinks.create({
    formKey: randomUUID(),
    amountMinor: 1_500,
    currency: 'USD',
    description: 'x',
    hours: 1,
    positions: [{ title: 'x', amountMinor: 1_500 }],
    reference: randomUUID(),
    successUrl: 'https://shop.example/',
    errorUrl: 'https://shop.example/',
    callbackUrl: 'https://shop.example/',
  });
  if (made.outcome !== 'created') throw new Error(made.outcome);
  const { invoiceId } = made;
  expect((await shop.calls().invoices.read({ invoiceId })).refunds).toBeNull();
  await expect(shop.calls().refunds.create(formOf(invoiceId))).rejects.toThrow(
    'Invoice cannot be refunded: it is PENDING',
  );
});

it.each([
  ['finance', 'SUCCEEDED'],
  ['admin', 'SUCCEEDED'],
  ['developer', 'FORBIDDEN'],
  ['support', 'FORBIDDEN'],
  ['viewer', 'FORBIDDEN'],
] as const)('%s asks for a refund: %s', async (role, outcome) => {
  const form = formOf(await paid());
  const api = await callsOf(role);
  const answered = await api.refunds.create(form).then(
    ({ status }) => status,
    ({ code }) => code as string,
  );
  expect(answered).toBe(outcome);
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

it('only who may refund lets a token do so; without a choice none does', async () => {
  const scopes = ['refunds.write', 'invoices.read'] as const;
  const token = { name: 'Refunds', expiresInDays: null, scopes: [...scopes] };
  const developer = await callsOf('developer');
  await expect(developer.developers.createToken(token)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await developer.developers.createToken({ name: 'Usual', expiresInDays: null });
  await shop.calls().developers.createToken(token);
  const { tokens } = await shop.calls().developers.tokens();
  const scopesOf = (name: string) => tokens.find((each) => each.name === name)?.scopes;
  expect(scopesOf('Usual')).not.toContain('refunds.write');
  expect(scopesOf('Refunds')).toEqual(['invoices.read', 'refunds.write']);
});

it('the list has the refunded sum, and the overview those of each day’s invoices', async () => {
  const other = await createStaffedShop(database.pool, NOW, 'other@example.com');
  const { pool } = database;
  const make = (daysAgo: number, currency: 'USD' | 'UZS' = 'USD') =>
    createPaidInvoice(pool, other.sandboxTenant, {
      now: new Date(NOW.getTime() - daysAgo * DAY_MS),
      currency,
    });
  const [old, older, sums] = [await make(1), await make(2), await make(1, 'UZS')];
  const { refunds, invoices, overview } = other.calls();
  await refunds.create(formOf(old, 1_500));
  await refunds.create(formOf(older, 200));
  await refunds.create(formOf(older, 300));
  await refunds.create(formOf(older, 100, 'test:fail'));
  await refunds.create(formOf(sums, 700));
  const listed = await invoices.list({});
  const refundedBy = new Map(listed.invoices.map(({ id, refundedMinor }) => [id, refundedMinor]));
  expect([old, older, sums].map((id) => refundedBy.get(id))).toEqual([1_500n, 500n, 700n]);
  const end = NOW.getTime() - DAY_MS / 2;
  const edgesMs = [0, 0, end - 2 * DAY_MS, end - DAY_MS, end];
  const { days } = await overview.chart({ edgesMs, by: 'created' });
  expect(
    days.map((day) =>
      Object.fromEntries(
        day.map(({ currency, refundedMinor }) => [currency, Number(refundedMinor)]),
      ),
    ),
  ).toEqual([{ USD: 500 }, { USD: 1_500, UZS: 700 }]);
});
