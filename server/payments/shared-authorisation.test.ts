import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { log } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { CHALLENGED_CARD, FakeAcquirer } from '../testing/fake-acquirer.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { openAttempt } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { recoverPayments } from './recover.ts';
import { resumePayment } from './resume.ts';

// An acquirer that gives one authorisation to two attempts.

let acquirer: FakeAcquirer;
vi.mock(import('./providers/registry.ts'), async (original) => {
  const { registryWith } = await import('../testing/fake-acquirer.ts');
  return registryWith(await original(), () => acquirer);
});

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const CARD = '4929000000001111';

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const told = vi.spyOn(log(), 'error').mockReturnValue();
beforeEach(async () => {
  acquirer = new FakeAcquirer();
  acquirer.givesOneToAll = true;
  told.mockClear();
  await database.pool.query('UPDATE payment_attempts SET recover_at = NULL');
});

const at = (afterMs: number) => new Date(NOW.getTime() + afterMs);
const as = (afterMs: number) => ({ clock: () => at(afterMs), actor: { type: 'buyer' } as const });
const createOne = () => createTestInvoice(database.pool, merchant.production.tenant, { now: NOW });
const invoiceStatus = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: NOW }))?.status;
const statusOf = async (id: string) => (await findAttempt(database.pool, id))?.status;

async function pay(invoiceId: string, number: string) {
  const onLateError = (error: unknown) => {
    throw error;
  };
  const options = { ...as(0), waitMs: 10_000, onLateError };
  const paid = await payInvoice(database.pool, invoiceId, cardWith(number), options);
  if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
  return paid.attempt;
}

async function recoverUntil(endMs: number, beginMs = 10_000): Promise<void> {
  for (let ms = beginMs; ms <= endMs; ms += 10_000) {
    const { errors } = await recoverPayments(database.pool, { ...as(ms), limit: 100 });
    expect(errors).toEqual([]);
  }
}

/** The log names both, once. */
function expectTold(attemptId: string, holderId: string): void {
  expect(told.mock.calls.map(([about]) => about)).toEqual([
    expect.objectContaining({ attemptId, holderId }),
  ]);
}

test('while the first is captured, the second is declined, and voids nothing of it', async () => {
  acquirer.captures = 'later';
  const first = await pay(await createOne(), CARD);
  expect(first.status).toBe('capturing');
  const invoiceId = await createOne();
  const second = await pay(invoiceId, CARD);
  expect(second).toMatchObject({ status: 'declined', declineReason: 'processing_error' });
  expectTold(second.id, first.id);

  await recoverUntil(11 * 60_000);
  acquirer.captures = 'at once';
  await recoverUntil(13 * 60_000, 11 * 60_000);
  expect(acquirer.calls).not.toContain('void');
  expect(await invoiceStatus(first.invoiceId)).toBe('PAID');
  expect(await invoiceStatus(invoiceId)).toBe('PENDING');
  expect(told).toHaveBeenCalledOnce();
});

test('once the first is captured, the second of another invoice is declined', async () => {
  const first = await pay(await createOne(), CARD);
  const second = await pay(await createOne(), CARD);
  expect([first.status, second.status]).toEqual(['captured', 'declined']);
  expect(acquirer.calls).toEqual(['authorise', 'capture', 'authorise']);
});

test('a challenge that is begun again with another try: the second is declined, the first released', async () => {
  const invoiceId = await createOne();
  const first = await pay(invoiceId, CHALLENGED_CARD);
  const second = await pay(invoiceId, CHALLENGED_CARD);
  expect(second.status).toBe('declined');
  expectTold(second.id, first.id);
  await recoverUntil(30_000);
  expect(await statusOf(first.id)).toBe('abandoned');
});

test('a challenge of another invoice is not given up with the second', async () => {
  const first = await pay(await createOne(), CHALLENGED_CARD);
  expect((await pay(await createOne(), CHALLENGED_CARD)).status).toBe('declined');
  acquirer.decide(first.id, 'approved', NOW);
  expect(await resumePayment(database.pool, first.id, as(1_000))).toMatchObject({
    status: 'captured',
  });
});

test('one that was given up as lost is found to share what another holds: left alone, for good', async () => {
  const invoiceId = await createOne();
  const lostId = `pay_lost_${invoiceId}`;
  const lost = { id: lostId, invoiceId, provider: 'fake', cardLast4: '1111' } as const;
  await openAttempt(database.pool, { ...lost, cardBrand: 'visa' }, NOW);
  await recoverUntil(20_000);
  expect(await statusOf(lostId)).toBe('failed');
  acquirer.captures = 'later';
  const holder = await pay(invoiceId, CARD);
  const entry = acquirer.books.get(holder.id);
  if (!entry) throw new Error('no entry');
  acquirer.books.set(lostId, entry);

  await recoverUntil(11 * 60_000);
  expect(acquirer.calls).not.toContain('void');
  expectTold(lostId, holder.id);
  const lookups = acquirer.calls.filter((name) => name === 'lookup').length;
  await recoverUntil(22 * 60_000, 11 * 60_000);
  expect(acquirer.calls.filter((name) => name === 'lookup')).toHaveLength(lookups);
  for (const ms of [1, 2, 3]) {
    const after = await resumePayment(database.pool, lostId, as(22 * 60_000 + ms));
    expect(after).toMatchObject({ status: 'failed' });
  }
  expectTold(lostId, holder.id);
});

test('a left challenge whose late approval is what another holds is left alone, for good', async () => {
  acquirer.givesOneToAll = false;
  acquirer.captures = 'later';
  const invoiceId = await createOne();
  const left = await pay(invoiceId, CHALLENGED_CARD);
  const holder = await pay(invoiceId, CARD);
  await recoverUntil(20_000);
  expect(await statusOf(left.id)).toBe('abandoned');
  const entry = acquirer.books.get(holder.id);
  if (!entry) throw new Error('no entry');
  acquirer.books.set(left.id, entry);
  acquirer.calls = [];

  await recoverUntil(11 * 60_000, 20_000);
  expectTold(left.id, holder.id);
  expect(acquirer.calls).not.toContain('void');
  const lookups = acquirer.calls.filter((name) => name === 'lookup').length;
  await recoverUntil(22 * 60_000, 11 * 60_000);
  expect(acquirer.calls.filter((name) => name === 'lookup')).toHaveLength(lookups);
  expect(await statusOf(left.id)).toBe('abandoned');
});

test('a webhook that comes again tells nothing new', async () => {
  acquirer.captures = 'later';
  const first = await pay(await createOne(), CARD);
  const second = await pay(await createOne(), CARD);
  for (const ms of [1_000, 2_000, 3_000]) {
    const after = await resumePayment(database.pool, second.id, as(ms));
    expect(after).toMatchObject({ status: 'declined' });
  }
  expectTold(second.id, first.id);
});

test('a second that its webhook made a recheck of is left alone, for good, once a third is paid', async () => {
  const invoiceId = await createOne();
  const first = await pay(invoiceId, CHALLENGED_CARD);
  const second = await pay(invoiceId, CHALLENGED_CARD);
  await resumePayment(database.pool, second.id, as(0));
  await recoverUntil(0, 0);
  acquirer.decide(first.id, 'approved', NOW);
  expect(await pay(invoiceId, CARD)).toMatchObject({ status: 'captured' });
  await recoverUntil(11 * 60_000);
  expect(await statusOf(second.id)).toBe('declined');
  acquirer.calls = [];
  await recoverUntil(22 * 60_000, 11 * 60_000);
  expect(acquirer.calls).toEqual([]);
});
