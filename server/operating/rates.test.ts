import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../lib/ids.ts';
import type { Environment } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { readRates } from './rates.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

let database: TestDatabase;
let one: MerchantFixture;
let other: MerchantFixture;

/** A try of that age, and how it ended. */
async function attempt(
  merchant: MerchantFixture,
  status: string,
  hours: number,
  { environment = 'production', seconds = 0 }: { environment?: Environment; seconds?: number } = {},
) {
  const { pool } = database;
  const at = ago(hours);
  const { tenant } = merchant[environment];
  const endDateMs = at.getTime() + HOUR_MS;
  const invoiceId = await createTestInvoice(pool, tenant, { now: at, endDateMs });
  const id = newId('pay', at.getTime());
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     VALUES ($1, $2, $3::attempt_status, 'sandbox', 1500, 'USD', 'visa', '4242', $4, $4)`,
    [id, invoiceId, status, at],
  );
  if (status === 'captured') {
    await pool.query(
      `UPDATE invoices SET status = 'PAID', capture_attempt_id = $2, status_changed_at = $3
       WHERE id = $1`,
      [invoiceId, id, new Date(at.getTime() + seconds * 1_000)],
    );
  }
  return invoiceId;
}

/** The notification of such an invoice. */
async function callback(merchant: MerchantFixture, state: string, hours: number, attempts: number) {
  const at = ago(hours);
  const { tenant } = merchant.production;
  const endDateMs = at.getTime() + HOUR_MS;
  const invoiceId = await createTestInvoice(database.pool, tenant, { now: at, endDateMs });
  await database.pool.query(
    `INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status,
       body, state, attempt_count, next_attempt_at, created_at)
     VALUES ('ntf_' || substr($1, 5), $1, $2, 'production', 'http://x/', 'x', 'EXPIRED', '{}',
       $3::callback_state, $4, $5, $5)`,
    [invoiceId, merchant.id, state, attempts, at],
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  one = await createMerchantFixture(database.pool);
  other = await createMerchantFixture(database.pool);
  for (const seconds of [2, 4, 60]) await attempt(one, 'captured', 1.5, { seconds });
  await attempt(one, 'captured', 0, { seconds: 4 });
  await attempt(one, 'declined', 23.9);
  await attempt(one, 'failed', 2);
  await attempt(one, 'abandoned', 2);
  await attempt(one, 'authorising', 0.1);
  await attempt(one, 'declined', 24.1);
  await attempt(one, 'captured', 167);
  await attempt(one, 'captured', 169);
  await attempt(one, 'declined', 1, { environment: 'sandbox' });
  await attempt(other, 'declined', 1);
  for (const hours of [1, 2, 30]) await callback(one, 'delivered', hours, 1);
  await callback(one, 'exhausted', 3, 9);
  await callback(one, 'pending', 1, 2);
  await callback(one, 'pending', 1, 0);
  await callback(one, 'exhausted', 169, 9);
});
afterAll(() => database.drop());

const rates = (environment: Environment = 'production') =>
  readRates(database.pool, { environment, now: NOW });

it('a merchant’s approval rate is what was captured of what was decided, by day and week', async () => {
  const { merchants } = await rates();
  expect(merchants.get(one.id)?.approval).toEqual({
    day: { good: 4, bad: 2 },
    week: { good: 5, bad: 3 },
  });
  expect(merchants.get(other.id)?.approval.day).toEqual({ good: 0, bad: 1 });
  const { merchants: ofSandbox } = await rates('sandbox');
  expect(ofSandbox.get(one.id)?.approval.day).toEqual({ good: 0, bad: 1 });
});

it('its callbacks count as delivered or as tried in vain; one not tried yet is neither', async () => {
  const { merchants } = await rates();
  expect(merchants.get(one.id)?.delivery).toEqual({
    day: { good: 2, bad: 2 },
    week: { good: 3, bad: 2 },
  });
});

it('its payments stand by the hour', async () => {
  const { merchants } = await rates();
  const hours = merchants.get(one.id)?.hours ?? [];
  expect(hours).toHaveLength(24);
  expect(hours.slice(-3)).toEqual([0, 3, 1]);
  expect(hours.reduce((sum, each) => sum + each, 0)).toBe(4);
});

it('an acquirer’s results, its unknown ones and the median time of its payments', async () => {
  const { accounts } = await rates();
  expect(accounts.find(({ merchantId }) => merchantId === one.id)).toMatchObject({
    provider: 'sandbox',
    accountId: null,
    approval: { day: { good: 4, bad: 2 }, week: { good: 5, bad: 3 } },
    ...{ declined: 1, failed: 1, unknown: 1, medianMs: 4_000 },
  });
});

it('equals a plain count of the tables', async () => {
  const { rows } = await database.pool.query<{ merchant_id: string; good: number; bad: number }>(
    `SELECT i.merchant_id, count(*) FILTER (WHERE p.status = 'captured')::int AS good,
            count(*) FILTER (WHERE p.status IN ('declined', 'failed'))::int AS bad
     FROM payment_attempts p JOIN invoices i ON i.id = p.invoice_id
     WHERE i.environment = 'production' AND p.created_at >= $1 GROUP BY 1`,
    [ago(168)],
  );
  const { merchants } = await rates();
  for (const { merchant_id: id, good, bad } of rows) {
    expect(merchants.get(id)?.approval.week).toEqual({ good, bad });
  }
  expect(rows).toHaveLength(2);
});

it('is counted once in a minute, however often it is asked for', async () => {
  const before = await rates();
  await attempt(other, 'captured', 0);
  expect(await rates()).toBe(before);
  const now = new Date(NOW.getTime() + 60_000);
  const { merchants } = await readRates(database.pool, { environment: 'production', now });
  expect(merchants.get(other.id)?.approval.day).toEqual({ good: 1, bad: 1 });
});
