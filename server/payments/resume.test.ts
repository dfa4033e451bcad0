import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import { listFailedRecoveries } from '../operating/backlog.ts';
import { openChallenge } from '../testing/challenge.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { CHALLENGED_CARD, FakeAcquirer } from '../testing/fake-acquirer.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith, RETURN_URL } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { openAttempt } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { answerSandboxChallenge } from './providers/sandbox/sandbox-challenge.ts';
import { recoverPayments } from './recover.ts';
import { resumeOnReturn, resumePayment } from './resume.ts';

// An acquirer that sends the buyer elsewhere, behind the port: the sandbox cannot show this.

let acquirer: FakeAcquirer;
vi.mock(import('./providers/registry.ts'), async (original) => {
  const { registryWith } = await import('../testing/fake-acquirer.ts');
  return registryWith(await original(), () => acquirer);
});

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());
beforeEach(async () => {
  acquirer = new FakeAcquirer();
  // Recovery ignores the attempts of the previous test.
  await database.pool.query('UPDATE payment_attempts SET recover_at = NULL');
});

const fail = (error: unknown) => {
  throw error;
};
const at = (afterMs: number) => new Date(NOW.getTime() + afterMs);
const as = (afterMs = 1_000) => ({ clock: () => at(afterMs), actor: { type: 'buyer' } as const });
const resume = (attemptId: string, afterMs?: number) =>
  resumePayment(database.pool, attemptId, as(afterMs));
const recover = (afterMs: number) =>
  recoverPayments(database.pool, { clock: () => at(afterMs), limit: 100 });
const statusOf = async (attemptId: string) => (await findAttempt(database.pool, attemptId))?.status;
const invoiceStatus = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: NOW }))?.status;
const lookups = () => acquirer.calls.filter((name) => name === 'lookup').length;
const captures = () => [...acquirer.books.values()].filter(({ end }) => end === 'captured').length;

const createOne = (endsAfterMs = 3_600_000) =>
  createTestInvoice(database.pool, merchant.production.tenant, {
    now: NOW,
    endDateMs: NOW.getTime() + endsAfterMs,
  });

const open = (endsAfterMs?: number) =>
  openChallenge(database.pool, merchant.production.tenant, { now: NOW, endsAfterMs });

test("a real card that ends like one of the sandbox's: the acquirer alone says what came of it", async () => {
  const { invoiceId, attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  const challenge = { invoiceId, attemptId, answer: 'approve' } as const;
  // The sandbox's page has no say in it.
  expect(await answerSandboxChallenge(database.pool, challenge, as())).toMatchObject({
    status: 'challenge',
  });
  expect(await resume(attemptId)).toMatchObject({ status: 'captured' });
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
  expect(acquirer.calls).toEqual(['authorise', 'lookup', 'capture']);
});

test('the buyer is sent to the address of the acquirer, and comes back to a page of ours', async () => {
  const { invoiceId, attemptId } = await open();
  const attempt = await findAttempt(database.pool, attemptId);
  expect(attempt?.challengeUrl).toBe('https://bank.example/3ds?id=1');
  const back = new RegExp(`^http.*/pay/${invoiceId}/return\\?attempt=${attemptId}$`);
  expect(acquirer.returnUrl).toMatch(back);
});

test('an address that is told once only is kept, although a webhook was faster', async () => {
  acquirer.tellsUrlOnce = true;
  const authorise = acquirer.authorise.bind(acquirer);
  acquirer.authorise = async (request, now) => {
    const answer = await authorise(request, now);
    expect(await resume(request.idempotencyKey)).toMatchObject({ challengeUrl: null });
    return answer;
  };
  const { attemptId } = await open();
  await resume(attemptId);
  const attempt = await findAttempt(database.pool, attemptId);
  expect(attempt?.challengeUrl).toBe('https://bank.example/3ds?id=1');
});

test('an address that is not https is nobody’s to follow: loud, and another card pays', async () => {
  acquirer.challengeUrl = 'http://bank.example/3ds';
  const invoiceId = await createOne();
  const errors: unknown[] = [];
  const options = { ...as(0), waitMs: 10_000, onLateError: (error: unknown) => errors.push(error) };
  const paid = await payInvoice(database.pool, invoiceId, cardWith(CHALLENGED_CARD), options);
  expect(paid).toMatchObject({ attempt: { status: 'challenge', challengeUrl: null } });
  expect(errors.join()).toContain('not https');
  await payInvoice(database.pool, invoiceId, cardWith('4929000000001111'), options);
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
});

test('the challenge failed: declined with the reason of the acquirer', async () => {
  const { attemptId } = await open();
  acquirer.decide(attemptId, 'declined', NOW);
  expect(await resume(attemptId)).toMatchObject({
    status: 'declined',
    declineReason: 'authentication_failed',
  });
});

test('declined, and approved after all: what is reserved is released when a webhook tells', async () => {
  const { invoiceId, attemptId } = await open();
  acquirer.decide(attemptId, 'declined', NOW);
  await resume(attemptId);
  const entry = acquirer.books.get(attemptId);
  if (entry) entry.state = 'approved';
  expect(await resume(attemptId)).toMatchObject({ status: 'voided' });
  expect(entry?.end).toBe('voided');
  expect(await invoiceStatus(invoiceId)).toBe('PENDING');
});

test('a buyer who comes back without an answer changes nothing', async () => {
  const { attemptId } = await open();
  expect(await resume(attemptId)).toMatchObject({ status: 'challenge' });
  acquirer.decide(attemptId, 'approved', NOW);
  expect(await resume(attemptId)).toMatchObject({ status: 'captured' });
});

test('a return page and a webhook both settled the payment: one capture, one callback', async () => {
  const { invoiceId, attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  const everybody = Array.from({ length: 10 }, (_, i) =>
    i === 5 ? recover(60_000) : resume(attemptId),
  );
  await Promise.all(everybody);
  // The webhook comes once more, much later.
  expect(await resume(attemptId, 3_600_000)).toMatchObject({ status: 'captured' });
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
  expect(captures()).toBe(1);
  const told = 'SELECT invoice_status FROM callbacks WHERE invoice_id = $1';
  const { rows } = await database.pool.query(told, [invoiceId]);
  expect(rows).toEqual([{ invoice_status: 'PAID' }]);
});

test('a webhook that is faster than the answer to its request gives nothing up as lost', async () => {
  const invoiceId = await createOne();
  const attemptId = 'pay_on_its_way';
  const attempt = { id: attemptId, invoiceId, provider: 'fake', cardLast4: '3055' };
  await openAttempt(database.pool, { ...attempt, cardBrand: 'visa' }, NOW);
  expect(await resume(attemptId)).toMatchObject({ status: 'authorising' });
  const request = { idempotencyKey: attemptId, amountMinor: 1500n, currency: 'USD' } as const;
  const card = cardWith('4929000000001111');
  await acquirer.authorise({ ...request, card, returnUrl: RETURN_URL }, NOW);
  expect(await resume(attemptId)).toMatchObject({ status: 'captured' });
});

test.each(['before', 'after'] as const)(
  'the acquirer is away when the buyer comes back (%s it acts): recovery asks again within seconds',
  async (outage) => {
    const { invoiceId, attemptId } = await open();
    acquirer.decide(attemptId, 'approved', NOW);
    acquirer.outage = outage;
    await expect(resume(attemptId)).rejects.toThrow('acquirer');
    acquirer.outage = null;
    await recover(11_000);
    expect(await invoiceStatus(invoiceId)).toBe('PAID');
    expect(captures()).toBe(1);
  },
);

test('a buyer who confirmed and never came back has paid within a minute, before the invoice ends', async () => {
  const { invoiceId, attemptId } = await open(90_000);
  acquirer.decide(attemptId, 'approved', NOW);
  await recover(60_000);
  await expireDueInvoices(database.pool, { now: at(90_001), limit: 100 });
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
});

test('a buyer who is elsewhere is asked about each minute, and given up after a quarter of an hour', async () => {
  const { invoiceId, attemptId } = await open();
  for (let s = 10; s < 15 * 60; s += 10) await recover(s * 1_000);
  expect(lookups()).toBe(14);
  await recover(15 * 60_000);
  expect(await statusOf(attemptId)).toBe('abandoned');
  expect(await invoiceStatus(invoiceId)).toBe('PENDING');
});

test('what the acquirer still decides after the buyer has confirmed is asked for within seconds', async () => {
  const { invoiceId, attemptId } = await open();
  acquirer.decide(attemptId, 'pending', NOW);
  expect(await resume(attemptId)).toMatchObject({ status: 'challenge' });
  acquirer.decide(attemptId, 'approved', NOW);
  await recover(11_000);
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
});

test.each(['another card', 'a quarter of an hour'])(
  'approved after %s had it given up, under another reference: released by one later look',
  async (cause) => {
    const { invoiceId, attemptId } = await open();
    let givenUpAfterMs = 0;
    if (cause === 'another card') {
      await payInvoice(database.pool, invoiceId, cardWith('4929000000001111'), {
        ...as(givenUpAfterMs),
        waitMs: 10_000,
        onLateError: fail,
      });
    } else givenUpAfterMs = 15 * 60_000;
    await recover(givenUpAfterMs);
    expect(await statusOf(attemptId)).toBe('abandoned');
    // A buyer who comes back before that uses up nothing.
    expect(await resume(attemptId, givenUpAfterMs)).toMatchObject({ status: 'abandoned' });
    expect(acquirer.decide(attemptId, 'approved', at(givenUpAfterMs + 1_000))).toBe(true);
    await recover(givenUpAfterMs + 10 * 60_000);
    expect(acquirer.books.get(attemptId)?.end).toBe('voided');
    expect(await statusOf(attemptId)).toBe('voided');
    const calls = acquirer.calls.length;
    await recover(givenUpAfterMs + 20 * 60_000);
    expect(acquirer.calls).toHaveLength(calls);
  },
);

test('what was given up and the acquirer never closes is looked at once more, and then left alone', async () => {
  const { attemptId } = await open();
  await recover(15 * 60_000);
  const before = lookups();
  for (let minute = 16; minute <= 60; minute++) await recover(minute * 60_000);
  expect(lookups() - before).toBe(1);
  expect(await statusOf(attemptId)).toBe('abandoned');
});

test('what was given up and then declined, as a webhook tells, is looked at no more', async () => {
  const { attemptId } = await open();
  await recover(15 * 60_000);
  acquirer.decide(attemptId, 'declined', at(16 * 60_000));
  expect(await resume(attemptId, 16 * 60_000)).toMatchObject({ status: 'abandoned' });
  const before = lookups();
  for (let minute = 17; minute <= 60; minute++) await recover(minute * 60_000);
  expect(lookups() - before).toBe(0);
});

test('a capture that takes its time: no error for anybody, the invoice waits, and a webhook ends it', async () => {
  const { invoiceId, attemptId } = await open(90_000);
  acquirer.decide(attemptId, 'approved', NOW);
  acquirer.captures = 'later';
  expect(await resume(attemptId)).toMatchObject({ status: 'capturing' });
  for (let s = 10; s <= 600; s += 10) {
    expect(await recover(s * 1_000)).toMatchObject({ failed: 0 });
    expect(await listFailedRecoveries(database.pool, { now: at(s * 1_000), limit: 9 })).toEqual([]);
  }
  expect(acquirer.calls.filter((name) => name === 'capture')).toHaveLength(10);
  await expireDueInvoices(database.pool, { now: at(600_000), limit: 100 });
  const context = { actor: { type: 'api' }, now: at(600_000) } as const;
  expect(
    await cancelInvoice(database.pool, merchant.production.tenant, invoiceId, context),
  ).toMatchObject({ outcome: 'payment_in_progress' });
  acquirer.captures = 'at once';
  expect(await resume(attemptId, 601_000)).toMatchObject({ status: 'captured' });
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
});

test('back after the merchant has cancelled: released, not charged', async () => {
  const { invoiceId, attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  const context = { actor: { type: 'api' }, now: NOW } as const;
  await cancelInvoice(database.pool, merchant.production.tenant, invoiceId, context);
  expect(await resume(attemptId)).toMatchObject({ status: 'voided' });
  expect(await statusOf(attemptId)).toBe('voided');
  expect(acquirer.books.get(attemptId)?.end).toBe('voided');
});

test('an attempt that nobody made is nobody’s', async () => {
  expect(await resume('pay_none')).toBeNull();
  expect(await resumeOnReturn(database.pool, 'pay_none', as())).toBeNull();
});
