import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import type { SeenRefund } from '../payments/provider.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createPaidInvoice } from '../testing/refunds.ts';
import { listRefunds } from './data.ts';
import { takeRefund } from './take.ts';
import { openRefund } from './transition.ts';

const ACCOUNT = 'acq_taken';
const NOW = new Date('2026-11-21T12:00:00.000Z');
const clock = () => NOW;
let database: TestDatabase;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase(10);
  tenant = (await createMerchantFixture(database.pool)).sandbox.tenant;
  await database.pool.query(
    `INSERT INTO acquirer_accounts (id, merchant_id, environment, provider, name, position,
       credentials, created_at)
     VALUES ($1, $2, 'sandbox', 'stripe', 'Stripe', 1, '\\x00', $3)`,
    [ACCOUNT, tenant.merchantId, NOW],
  );
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => database.drop());

/** An invoice of 15.00 USD that was paid through the account, with its payment's id there. */
async function paidThere(): Promise<{ invoiceId: string; transactionId: string }> {
  const invoiceId = await createPaidInvoice(database.pool, tenant, { now: NOW });
  const transactionId = `pi_${randomUUID()}`;
  await database.pool.query(
    'UPDATE payment_attempts SET account_id = $2, transaction_id = $3 WHERE invoice_id = $1',
    [invoiceId, ACCOUNT, transactionId],
  );
  return { invoiceId, transactionId };
}

const seen = (of: Partial<SeenRefund> & { transactionId: string }): SeenRefund => ({
  state: 'succeeded',
  refundId: null,
  reference: `re_${randomUUID()}`,
  amountMinor: 500n,
  currency: 'USD',
  reason: 'requested_by_customer',
  failureReason: null,
  ...of,
});
const take = (what: SeenRefund) => takeRefund(database.pool, ACCOUNT, what, clock);
const open = (invoiceId: string, amountMinor: bigint) =>
  openRefund(
    database.pool,
    {
      invoiceId,
      refundTransactionId: randomUUID(),
      amountMinor,
      reason: null,
      reference: null,
      actor: { type: 'api' },
      recoverAt: NOW,
    },
    NOW,
  );
const listed = async (invoiceId: string) => await listRefunds(database.pool, tenant, invoiceId);

test('one that began there becomes one here, however often and at once it is told', async () => {
  const { invoiceId, transactionId } = await paidThere();
  const what = seen({ transactionId });
  expect(await Promise.all([what, what, what, what].map(take))).toEqual([true, true, true, true]);
  await take({ ...what, state: 'pending' });
  expect(await listed(invoiceId)).toMatchObject({
    refunds: [
      {
        refundTransactionId: null,
        amountMinor: 500n,
        status: 'SUCCEEDED',
        reason: 'requested_by_customer',
        reference: what.reference,
      },
    ],
    refundedMinor: 500n,
  });
});

test('the news of one of ours ends it, and days later fails it and frees its sum', async () => {
  const { invoiceId, transactionId } = await paidThere();
  const ours = await open(invoiceId, 500n);
  const news = seen({ transactionId, refundId: ours?.id ?? '' });
  expect(await take(news)).toBe(true);
  expect(await listed(invoiceId)).toMatchObject({
    refunds: [{ id: ours?.id, status: 'SUCCEEDED', reference: news.reference }],
    refundedMinor: 500n,
  });
  const failed = { ...news, refundId: null, state: 'failed', failureReason: 'lost card' } as const;
  await take(failed);
  await take(failed);
  await take(news);
  expect(await listed(invoiceId)).toMatchObject({
    refunds: [{ status: 'FAILED', failureReason: 'lost card' }],
    refundedMinor: 0n,
  });
});

test('one without our id that may be ours waits until ours has its reference', async () => {
  const { invoiceId, transactionId } = await paidThere();
  await open(invoiceId, 500n);
  await expect(take(seen({ transactionId }))).rejects.toThrow('may be a refund of ours');
  expect(await take(seen({ transactionId, amountMinor: 300n }))).toBe(true);
  expect((await listed(invoiceId))?.refunds).toHaveLength(2);
});

test('one beyond what is left is not taken in before there is room', async () => {
  const { invoiceId, transactionId } = await paidThere();
  await open(invoiceId, 1200n);
  await expect(take(seen({ transactionId }))).rejects.toThrow('exceeds what is left');
  expect((await listed(invoiceId))?.refundedMinor).toBe(1200n);
});

test('one of another’s payment is not the account’s, and one that failed at once moved nothing', async () => {
  const { invoiceId, transactionId } = await paidThere();
  expect(await take(seen({ transactionId: 'pi_other' }))).toBe(false);
  const what = seen({ transactionId });
  expect(await takeRefund(database.pool, 'acq_other', what, clock)).toBe(false);
  expect(await take({ ...what, state: 'failed' })).toBe(true);
  expect((await listed(invoiceId))?.refunds).toEqual([]);
});
