import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { openChallenge } from '../testing/challenge.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { FakeAcquirer } from '../testing/fake-acquirer.ts';
import { findAttempt } from './data.ts';
import { giveUpChallenge } from './mutations.ts';
import { takeReturn } from './rechecks.ts';
import { recoverPayments } from './recover.ts';
import { resumeOnReturn } from './resume.ts';

// The acquirer's questions caused by a return, which anybody can repeat at will.

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

const at = (afterMs: number) => new Date(NOW.getTime() + afterMs);
const as = (afterMs: number) => ({ clock: () => at(afterMs), actor: { type: 'buyer' } as const });
const comeBack = (attemptId: string, afterMs: number) =>
  resumeOnReturn(database.pool, attemptId, as(afterMs));
const recover = (afterMs: number) =>
  recoverPayments(database.pool, { clock: () => at(afterMs), limit: 100 });
const statusOf = async (attemptId: string) => (await findAttempt(database.pool, attemptId))?.status;
const invoiceStatus = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: NOW }))?.status;
const open = () => openChallenge(database.pool, merchant.production.tenant, { now: NOW });
const lookups = () => acquirer.calls.filter((name) => name === 'lookup').length;

test('a buyer who reloads the return has the acquirer asked no more often than recovery does', async () => {
  const { attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  acquirer.captures = 'later';
  const asked = () => acquirer.calls.filter((name) => name === 'capture').length;
  expect(await comeBack(attemptId, 1_000)).toMatchObject({ status: 'capturing' });
  for (let s = 2; s <= 60; s++) {
    expect(await comeBack(attemptId, s * 1_000)).toMatchObject({ status: 'capturing' });
  }
  expect(asked()).toBe(1);
  // No worker has run: five tabs ask once.
  await Promise.all([1, 2, 3, 4, 5].map(() => comeBack(attemptId, 61_000)));
  expect(asked()).toBe(2);
  acquirer.captures = 'at once';
  await comeBack(attemptId, 121_000);
  await comeBack(attemptId, 122_000);
  expect(await statusOf(attemptId)).toBe('captured');
  expect(asked()).toBe(3);
});

test('a return that found the acquirer away leaves it alone until a lease is over, like any other', async () => {
  const { attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  acquirer.captures = 'later';
  await comeBack(attemptId, 1_000);
  acquirer.outage = 'after';
  await expect(comeBack(attemptId, 61_000)).rejects.toThrow('lost');
  const calls = acquirer.calls.length;
  expect(await comeBack(attemptId, 70_999)).toMatchObject({ status: 'capturing' });
  expect(acquirer.calls).toHaveLength(calls);
  await expect(comeBack(attemptId, 71_000)).rejects.toThrow('lost');
});

test('of a challenge that was given up since it was read no return takes the right to ask', async () => {
  const { attemptId } = await open();
  await giveUpChallenge(database.pool, attemptId, NOW);
  expect(await takeReturn(database.pool, attemptId, at(1_000))).toBe(false);
});

test('of an open challenge the first return asks at once, and then one in three seconds', async () => {
  const { attemptId } = await open();
  for (let ms = 10; ms <= 12_000; ms += 333) {
    const tabs = Array.from({ length: 5 }, () => comeBack(attemptId, ms));
    for (const back of await Promise.all(tabs)) expect(back).toMatchObject({ status: 'challenge' });
    if (ms === 10) expect(lookups()).toBe(1);
  }
  expect(lookups()).toBe(4);
  acquirer.decide(attemptId, 'approved', NOW);
  expect(await comeBack(attemptId, 15_000)).toMatchObject({ status: 'captured' });
});

test('what recovery has just asked keeps no buyer who comes back waiting', async () => {
  const { attemptId } = await open();
  await recover(60_000);
  expect(lookups()).toBe(1);
  acquirer.decide(attemptId, 'approved', NOW);
  expect(await comeBack(attemptId, 60_001)).toMatchObject({ status: 'captured' });
});

test('a decision right after a return is asked for within seconds, though the next one asks nothing', async () => {
  const { invoiceId, attemptId } = await open();
  await comeBack(attemptId, 1_000);
  acquirer.decide(attemptId, 'approved', NOW);
  expect(await comeBack(attemptId, 2_000)).toMatchObject({ status: 'challenge' });
  await recover(11_000);
  expect(await invoiceStatus(invoiceId)).toBe('PAID');
});

test('a second click waits for the answer that the first return asked for', async () => {
  const { attemptId } = await open();
  acquirer.decide(attemptId, 'approved', NOW);
  const slow = vi.spyOn(acquirer, 'lookup').mockImplementationOnce(async (key) => {
    await sleep(300);
    return acquirer.lookup(key);
  });
  const first = comeBack(attemptId, 1_000);
  await expect.poll(() => slow.mock.calls.length).toBe(1);
  expect(await comeBack(attemptId, 1_100)).toMatchObject({ status: 'captured' });
  expect(await first).toMatchObject({ status: 'captured' });
  expect(lookups()).toBe(1);
});

test('a return that a web asked about whose clock is ahead keeps none waiting until then', async () => {
  const { attemptId } = await open();
  await comeBack(attemptId, 600_000);
  acquirer.decide(attemptId, 'approved', NOW);
  expect(await comeBack(attemptId, 2_000)).toMatchObject({ status: 'captured' });
});

test('back from an attempt that has not reached the acquirer: left to recovery, in its time', async () => {
  const { attemptId } = await open();
  const { rows } = await database.pool.query<{ recover_at: Date }>(
    `UPDATE payment_attempts SET status = 'authorising', recover_at = $2 WHERE id = $1
     RETURNING recover_at`,
    [attemptId, NOW],
  );
  const calls = acquirer.calls.length;
  const back = await resumeOnReturn(database.pool, attemptId, as(1_000));
  expect(back).toMatchObject({ status: 'authorising' });
  expect(acquirer.calls).toHaveLength(calls);
  const { rows: after } = await database.pool.query(
    'SELECT recover_at FROM payment_attempts WHERE id = $1',
    [attemptId],
  );
  expect(after).toEqual(rows);
});
