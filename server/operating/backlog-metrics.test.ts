import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { renderBacklog } from './backlog-metrics.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_BEFORE = new Date(NOW.getTime() - 3_600_000);
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function callbacksDue(now: Date): Promise<string | undefined> {
  const text = await renderBacklog(database.pool, now);
  return /^gateway_callbacks_due (\d+)$/m.exec(text)?.[1];
}

test('asks once in five seconds, and at once when the clock was set back', async () => {
  expect(await callbacksDue(NOW)).toBe('0');
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const due = { merchantId, url: 'http://localhost:1/', at: HOUR_BEFORE };
  await insertDue(database.pool, due);
  expect(await callbacksDue(new Date(NOW.getTime() + 4_999))).toBe('0');
  expect(await callbacksDue(HOUR_BEFORE)).toBe('1');
  await insertDue(database.pool, due);
  expect(await callbacksDue(new Date(HOUR_BEFORE.getTime() + 4_999))).toBe('1');
  expect(await callbacksDue(new Date(HOUR_BEFORE.getTime() + 5_000))).toBe('2');
});
