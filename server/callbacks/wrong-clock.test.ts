import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { claimDue } from './claim.ts';
import { resendCallback } from './resend.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const TOMORROW = new Date('2026-11-22T12:00:00.000Z');
const ACTOR = { type: 'staff', id: null, label: 'staff@example.com' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('what a worker claimed whose clock was a day ahead is free for the others', async () => {
  const { pool } = database;
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: NOW, count: 5 });
  const ahead = await claimDue(pool, { now: TOMORROW, limit: 100 });
  const first = ahead[0]?.invoiceId ?? '';
  expect(ahead).toHaveLength(5);
  const resend = () => resendCallback(pool, sandbox.tenant, first, { actor: ACTOR, now: NOW });
  expect(await resend()).toBe('queued');
  expect(await claimDue(pool, { now: NOW, limit: 100 })).toHaveLength(5);
  expect(await claimDue(pool, { now: NOW, limit: 100 })).toHaveLength(0);
  expect(await resend()).toBe('in_flight');
});
