import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { measureClock } from '../db/clock-offset.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { openChallenge } from '../testing/challenge.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { FakeAcquirer } from '../testing/fake-acquirer.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { setClock, wall } from '../testing/wall-clock.ts';
import { findAttempt, listAttempts } from './data.ts';
import { openAttempt } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { recoverPayments } from './recover.ts';
import { resumeOnReturn, resumePayment } from './resume.ts';

// Payments at a web whose clock is known to be wrong, and the state that it may leave behind.

let acquirer: FakeAcquirer;
vi.mock(import('./providers/registry.ts'), async (original) => {
  const { registryWith } = await import('../testing/fake-acquirer.ts');
  return registryWith(await original(), () => acquirer);
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const AHEAD_AND_BEHIND = [
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
] as const;
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
beforeEach(async () => {
  acquirer = new FakeAcquirer();
  // Recovery ignores the attempts of the previous test.
  await database.pool.query('UPDATE payment_attempts SET recover_at = NULL');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await measureClock(database.pool);
});
afterAll(() => database.drop());

async function goWrong(aheadMs: number): Promise<void> {
  setClock(aheadMs);
  await measureClock(database.pool);
}

const byItsClock = () => ({ clock: () => new Date(Date.now()), actor: { type: 'buyer' } as const });
/** A run of a worker whose clock is right. */
const recover = (afterMs = 0) =>
  recoverPayments(database.pool, { clock: () => new Date(wall() + afterMs), limit: 100 });
const open = () =>
  openChallenge(database.pool, merchant.production.tenant, {
    now: new Date(wall()),
    endsAfterMs: HOUR_MS / 2,
  });
const invoiceStatus = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: new Date(wall()) }))?.status;

test.each(AHEAD_AND_BEHIND)('a web an hour %s takes no payment', async (_, aheadMs) => {
  const invoiceId = await createTestInvoice(database.pool, merchant.production.tenant, {
    now: new Date(wall()),
    endDateMs: wall() + HOUR_MS / 2,
  });
  const pay = () =>
    payInvoice(database.pool, invoiceId, cardWith('4929000000001111'), {
      ...byItsClock(),
      waitMs: 10_000,
      onLateError: (error) => {
        throw error;
      },
    });
  await goWrong(aheadMs);
  await expect(pay()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(acquirer.calls).toEqual([]);
  expect(await listAttempts(database.pool, invoiceId)).toEqual([]);
  setClock(0);
  expect(await pay()).toMatchObject({ attempt: { status: 'captured' } });
});

test.each(AHEAD_AND_BEHIND)(
  'a web an hour %s leaves a challenge as it is, by which a worker takes the payment',
  async (_, aheadMs) => {
    const { invoiceId, attemptId } = await open();
    const before = await findAttempt(database.pool, attemptId);
    acquirer.decide(attemptId, 'approved', new Date(wall()));
    await goWrong(aheadMs);
    for (const resume of [resumeOnReturn, resumePayment]) {
      const resumed = resume(database.pool, attemptId, byItsClock());
      await expect(resumed).rejects.toMatchObject({ kind: 'unavailable' });
    }
    expect(await findAttempt(database.pool, attemptId)).toEqual(before);
    expect(await invoiceStatus(invoiceId)).toBe('PENDING');
    setClock(0);
    await recover(MINUTE_MS);
    expect(await invoiceStatus(invoiceId)).toBe('PAID');
  },
);

test.each(['capturing', 'challenge'])(
  '%s, to be looked at in an hour by a clock that is ahead: a worker does so after a lease',
  async (status) => {
    const { invoiceId, attemptId } = await open();
    acquirer.decide(attemptId, 'approved', new Date(wall()));
    if (status === 'capturing') {
      acquirer.captures = 'later';
      await resumePayment(database.pool, attemptId, byItsClock());
      acquirer.captures = 'at once';
    }
    await database.pool.query('UPDATE payment_attempts SET recover_at = $2 WHERE id = $1', [
      attemptId,
      new Date(wall() + HOUR_MS),
    ]);
    await recover();
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status });
    await recover(15_000);
    expect(await invoiceStatus(invoiceId)).toBe('PAID');
  },
);

test('what a web ahead has just sent to the acquirer is not called lost before it has arrived', async () => {
  const now = new Date(wall());
  const { tenant } = merchant.production;
  const invoiceId = await createTestInvoice(database.pool, tenant, {
    now,
    endDateMs: wall() + 2 * HOUR_MS,
  });
  const attempt = { id: 'pay_ahead', invoiceId, provider: 'fake', cardLast4: '1111' };
  const ahead = new Date(wall() + HOUR_MS);
  await openAttempt(database.pool, { ...attempt, cardBrand: 'visa' }, ahead);
  await recover();
  expect(await findAttempt(database.pool, attempt.id)).toMatchObject({ status: 'authorising' });
  await recover(15_000);
  expect(await findAttempt(database.pool, attempt.id)).toMatchObject({ status: 'failed' });
});
