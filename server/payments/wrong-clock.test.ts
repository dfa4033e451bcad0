import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readClockOffset } from '../db/clock-offset.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { openChallenge } from '../testing/challenge.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { FakeAcquirer } from '../testing/fake-acquirer.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { setClock, wall } from '../testing/wall-clock.ts';
import { findAttempt } from './data.ts';
import { openAttempt } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { recoverPayments } from './recover.ts';
import { resumeOnReturn, resumePayment } from './resume.ts';

// Payments that reach a web whose clock is known to be wrong, and what such a web may leave behind.

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
  // It knows nothing of what the test before has left.
  await database.pool.query('UPDATE payment_attempts SET recover_at = NULL');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await readClockOffset(database.pool);
});
afterAll(() => database.drop());

async function goWrong(aheadMs: number): Promise<void> {
  setClock(aheadMs);
  await readClockOffset(database.pool);
}

const byItsClock = () => ({ clock: () => new Date(Date.now()), actor: { type: 'buyer' } as const });
/** A worker's run, whose clock is right. */
const recover = (afterMs = 0) =>
  recoverPayments(database.pool, { clock: () => new Date(wall() + afterMs), limit: 100 });
const open = () =>
  openChallenge(database.pool, merchant.production.tenant, {
    now: new Date(wall()),
    endsAfterMs: HOUR_MS / 2,
  });
const invoiceStatus = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: new Date(wall()) }))?.status;

/** In how many milliseconds an attempt is looked at. */
async function looksAfterMs(attemptId: string): Promise<number> {
  const sql = 'SELECT recover_at FROM payment_attempts WHERE id = $1';
  const { rows } = await database.pool.query<{ recover_at: Date | null }>(sql, [attemptId]);
  return (rows[0]?.recover_at?.getTime() ?? Number.NaN) - wall();
}

test.each(AHEAD_AND_BEHIND)(
  'a buyer who comes back to a web an hour %s keeps their challenge, and pays by it',
  async (_, aheadMs) => {
    const { invoiceId, attemptId } = await open();
    await goWrong(aheadMs);
    const back = await resumeOnReturn(database.pool, attemptId, byItsClock());
    expect(back).toMatchObject({ status: 'challenge' });
    expect(acquirer.calls).toEqual(['authorise', 'lookup']);
    expect(Math.abs(await looksAfterMs(attemptId))).toBeLessThan(MINUTE_MS);
    acquirer.decide(attemptId, 'approved', new Date(wall()));
    const paid = await resumePayment(database.pool, attemptId, byItsClock());
    expect(paid).toMatchObject({ status: 'captured' });
    expect(await invoiceStatus(invoiceId)).toBe('PAID');
  },
);

test('an approval after the end of the invoice is released, also by a web an hour behind', async () => {
  const { invoiceId, attemptId } = await open();
  const over = "UPDATE invoices SET end_date = now() - interval '1 millisecond' WHERE id = $1";
  expect((await database.pool.query(over, [invoiceId])).rowCount).toBe(1);
  acquirer.decide(attemptId, 'approved', new Date(wall()));
  await goWrong(-HOUR_MS);
  const after = await resumePayment(database.pool, attemptId, byItsClock());
  expect(after).toMatchObject({ status: 'voided' });
});

test('a webhook at a web an hour ahead ends no look at a challenge that was given up', async () => {
  const { attemptId } = await open();
  await recover(15 * MINUTE_MS);
  await database.pool.query('UPDATE payment_attempts SET updated_at = $2 WHERE id = $1', [
    attemptId,
    new Date(wall()),
  ]);
  await goWrong(HOUR_MS);
  const after = await resumePayment(database.pool, attemptId, byItsClock());
  expect(after).toMatchObject({ status: 'abandoned' });
  expect(await looksAfterMs(attemptId)).toBeGreaterThan(0);
});

test.each(AHEAD_AND_BEHIND)(
  'a web an hour %s takes a payment by the database’s time',
  async (_, aheadMs) => {
    const invoiceId = await createTestInvoice(database.pool, merchant.production.tenant, {
      now: new Date(wall()),
      endDateMs: wall() + HOUR_MS / 2,
    });
    await goWrong(aheadMs);
    acquirer.captures = 'later';
    const paid = await payInvoice(database.pool, invoiceId, cardWith('4929000000001111'), {
      ...byItsClock(),
      waitMs: 10_000,
      onLateError: (error) => {
        throw error;
      },
    });
    if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
    const { id, status, createdAtMs } = paid.attempt;
    expect(status).toBe('capturing');
    expect(Math.abs(createdAtMs - wall())).toBeLessThan(10_000);
    expect(Math.abs((await looksAfterMs(id)) - MINUTE_MS)).toBeLessThan(10_000);
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
