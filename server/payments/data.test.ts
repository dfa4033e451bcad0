import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { insertAttempt } from '../testing/payments.ts';
import { countAttempts, listAttempts, recoveriesWaitingSince } from './data.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ATTEMPTS = 300;
const READ = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('of very many attempts the newest are read, the one that paid among them', async () => {
  const { pool } = database;
  const { sandbox } = await createMerchantFixture(pool);
  const id = await createTestInvoice(pool, sandbox.tenant, { now: NOW });
  const invoiceId = await createTestInvoice(pool, sandbox.tenant, { now: NOW });
  await insertAttempt(pool, { invoiceId, status: 'declined', updatedAt: NOW, recoverAt: null });
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT 'pay_' || n, $1, (CASE n WHEN $3 THEN 'captured' ELSE 'declined' END)::attempt_status,
       'sandbox', 1500, 'USD', 'visa', '4242', at, at
     FROM generate_series(1, $3::int) n,
       LATERAL (SELECT $2::timestamptz + n * interval '1 min' AS at) moment`,
    [id, NOW.toISOString(), ATTEMPTS],
  );
  const read = await listAttempts(pool, id);
  expect(read.map((each) => each.id)).toEqual(
    Array.from({ length: READ }, (_, n) => `pay_${ATTEMPTS - n}`),
  );
  expect(read[0]?.status).toBe('captured');
  expect(await countAttempts(pool, id)).toBe(ATTEMPTS);
});

test('a recovery waits from its time on, and not before', async () => {
  const { pool } = database;
  const { sandbox } = await createMerchantFixture(pool);
  const invoiceId = await createTestInvoice(pool, sandbox.tenant, { now: NOW });
  const recoverAt = new Date(NOW.getTime() + 1_000);
  await insertAttempt(pool, { invoiceId, status: 'authorising', updatedAt: NOW, recoverAt });
  const justBefore = new Date(recoverAt.getTime() - 1);
  expect(await recoveriesWaitingSince(pool, { now: justBefore })).toBeNull();
  expect(await recoveriesWaitingSince(pool, { now: recoverAt })).toEqual(recoverAt);
});
