import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readClockOffset } from '#server/db/clock-offset.ts';
import { closePool, getPool } from '#server/db/pool.ts';
import { payInvoice } from '#server/payments/pay.ts';
import { testCardFor } from '#server/payments/providers/sandbox/test-cards.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createMerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { cardWith } from '#server/testing/payments.ts';
import { wall } from '#server/testing/wall-clock.ts';
import { loadInvoice } from './loader.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
});
afterEach(async () => {
  vi.useRealTimers();
  await readClockOffset(getPool());
});
afterAll(async () => {
  await closePool();
  vi.unstubAllEnvs();
  await database.drop();
});

test.each([
  ['behind, shows the form again when a payment is taken again', -HOUR_MS, 11, 'form'],
  ['ahead, shows none while a payment is refused', HOUR_MS, 1, 'too_many_attempts'],
])('a page of a web whose clock is %s', async (_, aheadMs, minutesAgo, state) => {
  const { pool } = database;
  const { sandbox } = await createMerchantFixture(pool);
  const endDateMs = wall() + HOUR_MS / 2;
  const id = await createTestInvoice(pool, sandbox.tenant, { now: new Date(), endDateMs });
  for (let i = 0; i < 10; i += 1) {
    await payInvoice(pool, id, cardWith(testCardFor('generic_decline').number), {
      clock: () => new Date(wall() - minutesAgo * MINUTE_MS),
      actor: { type: 'buyer' },
      waitMs: 5_000,
      onLateError: () => undefined,
    });
  }
  vi.useFakeTimers({ toFake: ['Date'], now: wall() + aheadMs });
  await readClockOffset(getPool());
  const loaded = await loadInvoice(id);
  if (loaded.kind !== 'invoice') throw new Error(loaded.kind);
  expect(loaded.state.kind).toBe(state);
  expect(Math.abs(loaded.nowMs - wall())).toBeLessThan(MINUTE_MS);
});
