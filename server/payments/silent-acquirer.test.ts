import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { claimedAttempt, openedAttempt } from '../testing/cut-off-attempts.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { booksDisagree, ledgerOf } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { releaseClaim } from './mutations.ts';
import { SandboxAcquirer } from './providers/sandbox/sandbox.ts';
import { takeRecoverable } from './rechecks.ts';
import { recoverPayments } from './recover.ts';
import { MONEY_MOVING_LEASE_MS } from './timing.ts';

// Recovery beside an acquirer that takes a call and says nothing more.

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
// Attempts that one test leaves due are not taken up in another.
beforeEach(() => database.pool.query('UPDATE payment_attempts SET recover_at = NULL'));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => database.drop());

const secondsLater = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const opened = (now = NOW) => openedAttempt(database.pool, merchant.sandbox.tenant, now);
const claimed = (now = NOW) => claimedAttempt(database.pool, merchant.sandbox.tenant, now);

const recover = (now: Date, limit = 50) =>
  recoverPayments(database.pool, { clock: () => now, limit });

/** Recovers beside a silent acquirer, whose time is over once `isElseDone` and not before. */
async function recoverBesideSilence(now: Date, isElseDone: () => Promise<boolean>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const recovering = recover(now);
  await expect.poll(isElseDone).toBe(true);
  vi.advanceTimersByTime(MONEY_MOVING_LEASE_MS - 1);
  const result = await recovering;
  vi.useRealTimers();
  return result;
}
const statusOf = async (id: string) => (await findAttempt(database.pool, id))?.status;
const invoiceStatusOf = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: NOW }))?.status;

test('calls that are never answered hold up no other attempt, and end', async () => {
  const silent = new Set<string>();
  while (silent.size < 20) silent.add((await opened()).id);
  const { id, invoiceId } = await opened(secondsLater(1));
  const real = SandboxAcquirer.prototype.lookup;
  const lookup = vi.spyOn(SandboxAcquirer.prototype, 'lookup');
  lookup.mockImplementation(function (this: never, ...args) {
    return silent.has(args[0].id) ? new Promise(() => undefined) : real.apply(this, args);
  });
  const isElseDone = async () =>
    lookup.mock.calls.length === 21 && (await statusOf(id)) === 'failed';
  const { recovered, failed } = await recoverBesideSilence(secondsLater(60), isElseDone);
  expect({ recovered, failed }).toEqual({ recovered: 1, failed: 20 });
  expect(await statusOf(id)).toBe('failed');
  expect(await invoiceStatusOf(invoiceId)).toBe('PENDING');
});

test('nor do releases that are never answered', async () => {
  const { id } = await claimed();
  await releaseClaim(database.pool, id, NOW);
  const other = await opened();
  const release = vi.spyOn(SandboxAcquirer.prototype, 'void');
  release.mockReturnValueOnce(new Promise(() => undefined));
  const isElseDone = async () =>
    release.mock.calls.length === 1 && (await statusOf(other.id)) === 'failed';
  const answer = await recoverBesideSilence(secondsLater(60), isElseDone);
  expect(answer).toMatchObject({ recovered: 1, failed: 1 });
  expect(await statusOf(other.id)).toBe('failed');
  expect(await recover(secondsLater(90))).toMatchObject({ recovered: 1, failed: 0 });
  expect(await statusOf(id)).toBe('voided');
});

test('attempts whose rows somebody holds are left for the next look, and nobody waits for them', async () => {
  const { pool } = database;
  const held = [await claimed(), await opened()];
  const free = [await claimed(secondsLater(1)), await opened(secondsLater(1))];
  const holder = await pool.connect();
  await holder.query('BEGIN');
  const ids = held.map(({ id }) => id);
  await holder.query('SELECT FROM payment_attempts WHERE id = ANY ($1) FOR UPDATE', [ids]);
  // A waiter for the rows waits for this test.
  const taken = await takeRecoverable(pool, { now: secondsLater(60), limit: 50 });
  await holder.query('ROLLBACK');
  holder.release();
  expect(taken.sort()).toEqual(free.map(({ id }) => id).sort());
});

test('all that were taken are asked about at once, not one after the other', async () => {
  const ids = new Set<string>();
  while (ids.size < 20) ids.add((await opened()).id);
  const asked = new Set<string>();
  let answer: () => void = () => undefined;
  const allAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  // The acquirer answers about none before it was asked about the last.
  vi.spyOn(SandboxAcquirer.prototype, 'lookup').mockImplementation(async ({ id }) => {
    asked.add(id);
    if (asked.size === ids.size) answer();
    await allAsked;
    return { state: 'unknown' };
  });
  const options = { clock: () => secondsLater(60), limit: 50, answerMs: 4_000 };
  const { recovered, failed } = await recoverPayments(database.pool, options);
  expect({ recovered, failed }).toEqual({ recovered: 20, failed: 0 });
  expect(asked).toEqual(ids);
});

test.each([
  ['is heard within seconds', 5_000, { recovered: 1, failed: 0 }],
  ['is given up before its lease is over', MONEY_MOVING_LEASE_MS - 1, { recovered: 0, failed: 1 }],
])('an acquirer that takes its time %s', async (_, afterMs, outcome) => {
  await opened();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let answer: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    vi.spyOn(SandboxAcquirer.prototype, 'lookup').mockImplementation(() => {
      resolve();
      return new Promise((answered) => {
        answer = () => answered({ state: 'unknown' });
      });
    });
  });
  const options = { clock: () => secondsLater(60), limit: 50 };
  const recovering = recoverPayments(database.pool, options);
  await isAsked;
  vi.advanceTimersByTime(afterMs);
  answer();
  expect(await recovering).toMatchObject(outcome);
});

test('an attempt whose acquirer was silent is left for half a minute, and then looked at again', async () => {
  const { id } = await opened();
  const lookup = vi.spyOn(SandboxAcquirer.prototype, 'lookup');
  lookup.mockReturnValueOnce(new Promise(() => undefined));
  const isAsked = async () => lookup.mock.calls.length === 1;
  expect(await recoverBesideSilence(secondsLater(60), isAsked)).toMatchObject({ failed: 1 });
  expect(await recover(secondsLater(89))).toMatchObject({ recovered: 0, failed: 0 });
  expect(await recover(secondsLater(90))).toMatchObject({ recovered: 1, failed: 0 });
  expect(await statusOf(id)).toBe('failed');
});

test('one whose acquirer has answered with a failure is tried again after a lease', async () => {
  const { invoiceId } = await claimed();
  const capture = vi.spyOn(SandboxAcquirer.prototype, 'capture');
  capture.mockRejectedValueOnce(new Error('failed'));
  expect(await recover(secondsLater(60))).toMatchObject({ recovered: 0, failed: 1 });
  expect(await recover(secondsLater(69))).toMatchObject({ recovered: 0, failed: 0 });
  expect(await recover(secondsLater(70))).toMatchObject({ recovered: 1, failed: 0 });
  expect(await invoiceStatusOf(invoiceId)).toBe('PAID');
});

test('where money moves comes before what is only asked about', async () => {
  await opened();
  await opened();
  const { id } = await claimed(secondsLater(30));
  expect(await takeRecoverable(database.pool, { now: secondsLater(60), limit: 1 })).toEqual([id]);
});

test('captures alone fill a look, so that a backlog of them is gone through without a pause', async () => {
  for (let count = 0; count < 12; count++) await claimed();
  expect(await recover(secondsLater(60), 10)).toMatchObject({ recovered: 10, failed: 0 });
});

test('captures that go on failing leave room for what is only asked about', async () => {
  for (let count = 0; count < 12; count++) await claimed();
  const { id } = await opened(secondsLater(1));
  vi.spyOn(SandboxAcquirer.prototype, 'capture').mockRejectedValue(new Error('refused'));
  const { failed } = await recover(secondsLater(60), 10);
  expect(failed).toBe(9);
  expect(await statusOf(id)).toBe('failed');
});

test('a capture that is carried out after its time is found, and made once', async () => {
  const { pool } = database;
  const { id, invoiceId } = await claimed();
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const real = SandboxAcquirer.prototype.capture;
  const captures = vi.spyOn(SandboxAcquirer.prototype, 'capture');
  captures.mockImplementationOnce(async function (this: never, ...args) {
    await asked;
    return real.apply(this, args);
  });
  const isAsked = async () => captures.mock.calls.length === 1;
  expect(await recoverBesideSilence(secondsLater(60), isAsked)).toMatchObject({ failed: 1 });
  answer();
  await captures.mock.results[0]?.value;
  expect(await ledgerOf(pool, invoiceId)).toEqual(['authorisation', 'capture']);
  expect(await statusOf(id)).toBe('capturing');

  expect(await recover(secondsLater(90))).toMatchObject({ recovered: 1, failed: 0 });
  expect(await invoiceStatusOf(invoiceId)).toBe('PAID');
  expect(await ledgerOf(pool, invoiceId)).toEqual(['authorisation', 'capture']);
  expect(await booksDisagree(pool)).not.toContain(invoiceId);
});
