import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession, findSession } from '../auth/sessions.ts';
import { readInvoiceDetails } from '../invoices/reading/records.ts';
import { createMerchant, setMerchantStatus } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Tenant } from '../merchants/types.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { callerOf, newSession } from '../testing/staff.ts';
import { MAX_FORM_BYTES } from '../web/page-requests.ts';
import { invoiceDetails, invoiceDetailsText } from '../wire/invoice-records.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const FORM = {
  formKey: '00000000-0000-4000-8000-000000000001',
  amountMinor: 1_500,
  currency: 'UZS' as const,
  description: 'Made by hand',
  hours: 1,
  positions: [{ title: 'Beans', amountMinor: 1_500 }],
  reference: 'by-hand-1',
  successUrl: 'https://shop.example/thanks',
  errorUrl: 'https://shop.example/cart',
  callbackUrl: 'https://shop.example/callback',
};

let database: TestDatabase;
let caller: ReturnType<typeof createCaller>;
let tenant: Tenant;
let callerAt: (now: Date) => ReturnType<typeof createCaller>;
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool: db } = database;
  const { owner, merchantId } = await createMerchant(db, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  tenant = grantTenant(merchantId, 'sandbox');
  const { userId } = owner;
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
  const session = await findSession(db, id, NOW);
  if (!session) throw new Error('no session');
  callerAt = (now) =>
    createCaller(contextOf(session, { db, environment: 'sandbox', address: null, now }));
  caller = callerAt(NOW);
});
afterAll(() => database.drop());

it('makes what the form says, in its currency', async () => {
  const result = await caller.paymentLinks.create(FORM);
  if (result.outcome !== 'created') throw new Error(result.outcome);
  const { invoice, timeline } = await caller.invoices.read({ invoiceId: result.invoiceId });
  expect(invoice).toMatchObject({
    amountMinor: 1_500n,
    currency: 'UZS',
    status: 'PENDING',
    merchantTransactionId: 'by-hand-1',
    positions: [{ title: 'Beans', amountMinor: 1_500, currency: 'UZS' }],
  });
  expect(timeline).toMatchObject([{ kind: 'created', by: 'owner@example.com' }]);
});

it('judges by the rules of the API, and names every field that is wrong', async () => {
  const result = await caller.paymentLinks.create({
    ...FORM,
    amountMinor: 0,
    positions: [{ title: '', amountMinor: 1_500 }],
    successUrl: 'javascript:alert(1)',
  });
  if (result.outcome !== 'invalid') throw new Error(result.outcome);
  const fields = result.faults.map(({ field }) => field).sort();
  expect(fields).toEqual(['amount', 'positions.0.title', 'success_url']);
});

it('names what no form can send', async () => {
  for (const [form, field] of [
    [{ ...FORM, hours: 0 }, 'hours'],
    [{ ...FORM, description: 'x'.repeat(4_097) }, 'description'],
  ] as const) {
    await expect(caller.paymentLinks.create(form)).rejects.toThrow(`"${field}"`);
  }
});

it('names faults by a code, and how long a text may be', async () => {
  const result = await caller.paymentLinks.create({ ...FORM, reference: 'x'.repeat(256) });
  expect(result).toEqual({
    outcome: 'invalid',
    faults: [{ field: 'merchant_transaction_id', type: 'string_too_long', most: 255 }],
  });
});

it('tells that a transaction id is taken', async () => {
  const again = { ...FORM, formKey: '00000000-0000-4000-8000-000000000002' };
  expect(await caller.paymentLinks.create(again)).toEqual({ outcome: 'duplicate' });
});

it('ends so many hours after the gateway’s now, and where it did when it is sent again', async () => {
  const sent = {
    ...FORM,
    formKey: '00000000-0000-4000-8000-000000000004',
    reference: 'by-hand-3',
    hours: 24,
  };
  const first = await caller.paymentLinks.create(sent);
  if (first.outcome !== 'created') throw new Error(first.outcome);
  const endOf = async () =>
    (await caller.invoices.read({ invoiceId: first.invoiceId })).invoice.endDateMs;
  expect(await endOf()).toBe(NOW.getTime() + 24 * 3_600_000);
  const later = callerAt(new Date(NOW.getTime() + 60_000));
  expect(await later.paymentLinks.create(sent)).toEqual(first);
  expect(await endOf()).toBe(NOW.getTime() + 24 * 3_600_000);
  await expect(later.paymentLinks.create({ ...sent, hours: 1 })).rejects.toThrow(
    'This form has already been sent.',
  );
});

it('needs no address: nobody is told of the payment, and the API shows none', async () => {
  const result = await caller.paymentLinks.create({
    ...FORM,
    formKey: '00000000-0000-4000-8000-000000000005',
    reference: 'by-hand-5',
    successUrl: null,
    errorUrl: null,
    callbackUrl: null,
  });
  if (result.outcome !== 'created') throw new Error(result.outcome);
  const { invoiceId } = result;
  await caller.invoices.cancel({ invoiceId });
  const { invoice, callback, timeline } = await caller.invoices.read({ invoiceId });
  expect(invoice).toMatchObject({ successUrl: null, errorUrl: null, callbackUrl: null });
  expect(callback).toBeNull();
  expect(timeline.at(-1)).toMatchObject({ kind: 'status', isUntold: true });
  const reading = { now: NOW, requestId: null };
  const details = await readInvoiceDetails(database.pool, tenant, { invoiceId }, reading);
  if (!details) throw new Error('no details');
  const data = JSON.parse(invoiceDetailsText(details, 'https://pay.example'));
  expect(data).toMatchObject({ success_url: null, error_url: null, callback_url: null });
  expect(data.callback).toBeNull();
  expect(invoiceDetails.safeParse(data).error).toBeUndefined();
});

it('begins with the currency of the last link, and how the shop presents itself', async () => {
  const brand = { name: 'Shop', logoUrl: null, color: null };
  expect(await caller.paymentLinks.begin()).toEqual({ currency: 'UZS', brand });
});

it.each([
  ['support', 'created'],
  ['cashier', 'created'],
  ['finance', 'FORBIDDEN'],
  ['viewer', 'FORBIDDEN'],
] as const)('%s makes a link: %s', async (role, outcome) => {
  const { pool: db } = database;
  const { id: userId } = await findOrCreateUser(db, {
    email: `${role}@example.com`,
    password: 'correct horse battery',
    now: NOW,
  });
  await setMember(db, { merchantId: tenant.merchantId, userId, role, now: NOW });
  const { paymentLinks } = callerOf(db, await newSession(db, userId, NOW), { now: NOW });
  const answered = await paymentLinks.create({ ...FORM, reference: `by-${role}` }).then(
    (answer) => answer.outcome,
    ({ code }) => code as string,
  );
  expect(answered).toBe(outcome);
});

it('makes none while the merchant is suspended, like its API', async () => {
  const { pool: db } = database;
  const actor = { type: 'operator', id: null, label: 'test' } as const;
  const { owner, merchantId } = await createMerchant(db, {
    name: 'Suspended shop',
    ownerEmail: 'suspended@example.com',
    actor,
    now: NOW,
  });
  const { userId } = owner;
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
  const asNow = async () => {
    const session = await findSession(db, id, NOW);
    if (!session) throw new Error('no session');
    return createCaller(
      contextOf(session, { db, environment: 'sandbox', address: null, now: NOW }),
    );
  };
  const form = { ...FORM, reference: 'by-hand-2' };
  await setMerchantStatus(db, { merchantId, status: 'suspended', actor, now: NOW });
  const suspended = await asNow();
  await expect(suspended.paymentLinks.create(form)).rejects.toThrow('The merchant is suspended.');
  await expect(suspended.paymentLinks.begin()).rejects.toThrow('The merchant is suspended.');
  expect((await suspended.account.current()).permissions).not.toContain('invoice.create');
  expect(await suspended.invoices.list({ limit: 1 })).toMatchObject({ invoices: [] });
  await setMerchantStatus(db, { merchantId, status: 'active', actor, now: NOW });
  expect(await (await asNow()).paymentLinks.create(form)).toMatchObject({ outcome: 'created' });
});

it('takes as much as the API, and tells whoever types more', async () => {
  const positions = (length: number) =>
    Array.from({ length }, () => ({ title: '😀'.repeat(512), amountMinor: 3 }));
  const formKey = '00000000-0000-4000-8000-000000000009';
  const create = (count: number) =>
    caller.paymentLinks.create({
      ...FORM,
      formKey,
      reference: 'much',
      positions: positions(count),
    });
  const fault = { field: 'positions', type: 'too_long', most: null };
  expect(await create(130)).toEqual({ outcome: 'invalid', faults: [fault] });
  expect(await create(120)).toMatchObject({ outcome: 'created' });
});

it('the largest form gets through whose fields are as long as they may be', async () => {
  // Each takes six bytes in JSON, the most for any character.
  const text = (length: number) => '\u0001'.repeat(length);
  const url = `https://shop.example/${'я'.repeat(2_048 - 'https://shop.example/'.length)}`;
  const largest = {
    ...FORM,
    formKey: '00000000-0000-4000-8000-000000000003',
    amountMinor: Number.MAX_SAFE_INTEGER,
    description: text(1_024),
    hours: 8_784,
    positions: Array.from({ length: 500 }, () => ({
      title: text(512),
      amountMinor: Number.MAX_SAFE_INTEGER,
    })),
    reference: '😀'.repeat(255),
    successUrl: url,
    errorUrl: url,
    callbackUrl: url,
  };
  const bytes = Buffer.byteLength(JSON.stringify({ json: largest }));
  expect(bytes).toBeGreaterThan(1_500_000);
  expect(bytes).toBeLessThanOrEqual(MAX_FORM_BYTES);
  expect(await caller.paymentLinks.create(largest)).toMatchObject({ outcome: 'invalid' });
});
