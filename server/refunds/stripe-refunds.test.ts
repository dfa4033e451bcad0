import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { listRefunds } from './data.ts';
import { recoverRefunds } from './recover.ts';
import { requestRefund } from './refund.ts';

const REFUND = 'POST /v1/refunds';

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.faults.clear();
  shop.bank.delivery = 'in order';
  shop.bank.books.refundStatus = 'succeeded';
});

/** A paid invoice of 79.99, and its payment there. */
async function paid(): Promise<{ invoiceId: string; intentId: string }> {
  const invoiceId = await shop.newInvoice();
  const { id: intentId } = await shop.bank.pay(await shop.atPage(invoiceId));
  return { invoiceId, intentId };
}

async function ask(invoiceId: string, amountMinor: bigint): Promise<string> {
  const begun = await requestRefund(
    shop.database.pool,
    shop.merchant.sandbox.tenant,
    { invoiceId, refundTransactionId: randomUUID(), amountMinor, reason: null },
    {
      actor: { type: 'api', id: 'tok_1', requestId: 'req_1' },
      audit: null,
      key: null,
      clock: shop.clock,
    },
  );
  if ('isRepeat' in begun) throw new Error('there was no key');
  return 'refund' in begun ? begun.refund.status : begun.refusal.message;
}

/** The refunds here, the oldest first, as `status amount reference`. */
async function refundsHere(invoiceId: string): Promise<string[]> {
  const { tenant } = shop.merchant.sandbox;
  const found = await listRefunds(shop.database.pool, tenant, invoiceId);
  return (found?.refunds ?? []).map(
    ({ status, amountMinor, reference }) => `${status} ${amountMinor} ${reference}`,
  );
}

/** The refunds there, likewise. */
const refundsThere = (intentId: string): string[] =>
  shop.bank.books
    .all('refund')
    .filter(({ payment_intent }) => payment_intent === intentId)
    .map(({ id, amount, status }) => `${String(status).toUpperCase()} ${amount} ${id}`);

async function expectAgreement(invoiceId: string, intentId: string): Promise<void> {
  expect(await refundsHere(invoiceId)).toEqual(refundsThere(intentId));
}

test('a refund that was asked for here is one refund, though Stripe tells of it as well', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.delivery = 'twice';
  expect(await ask(invoiceId, 3_000n)).toBe('SUCCEEDED');
  await shop.bank.deliver();
  expect(refundsThere(intentId)).toHaveLength(1);
  await expectAgreement(invoiceId, intentId);
});

test('a refund whose answer was lost is one refund there and here', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.faults.set(REFUND, ['cut after']);
  expect(await ask(invoiceId, 3_000n)).toBe('PENDING');
  for (let look = 0; look < 3; look++) {
    shop.pass(30_000);
    await shop.bank.deliver();
    await recoverRefunds(shop.database.pool, { clock: shop.clock, limit: 10 });
  }
  expect(refundsThere(intentId)).toHaveLength(1);
  await expectAgreement(invoiceId, intentId);
});

test('a refund in Stripe’s Dashboard is taken in, and counts against later ones', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.books.refund(shop.account.key, { payment_intent: intentId, amount: '5000' });
  await shop.bank.deliver();
  await expectAgreement(invoiceId, intentId);
  expect(await ask(invoiceId, 3_000n)).toContain('2999');
  expect(await ask(invoiceId, 2_999n)).toBe('SUCCEEDED');
  await shop.bank.deliver();
  await expectAgreement(invoiceId, intentId);
});

test('a refund that the bank sends back has failed here too, and can be made again', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.books.refundStatus = 'pending';
  expect(await ask(invoiceId, 7_999n)).toBe('PENDING');
  const [, , id = ''] = refundsThere(intentId)[0]?.split(' ') ?? [];
  shop.bank.books.settleRefund(id, 'failed', 'lost_or_stolen_card');
  await shop.bank.deliver();
  expect(await refundsHere(invoiceId)).toEqual([`FAILED 7999 ${id}`]);
  shop.bank.books.refundStatus = 'succeeded';
  expect(await ask(invoiceId, 7_999n)).toBe('SUCCEEDED');
  await shop.bank.deliver();
  await expectAgreement(invoiceId, intentId);
});

test('a refund that succeeded and fails days later frees its sum, is told once, and can be made again', async () => {
  const { invoiceId, intentId } = await paid();
  expect(await ask(invoiceId, 7_999n)).toBe('SUCCEEDED');
  await shop.bank.deliver();
  const [, , id = ''] = refundsThere(intentId)[0]?.split(' ') ?? [];
  shop.pass(9 * 86_400_000);
  expect(await ask(invoiceId, 1n)).toContain('exceeds');
  shop.bank.books.settleRefund(id, 'failed', 'expired_or_canceled_card');
  shop.bank.delivery = 'twice';
  await shop.bank.deliver();
  expect(await refundsHere(invoiceId)).toEqual([`FAILED 7999 ${id}`]);
  const { rows } = await shop.database.pool.query(
    "SELECT type, at FROM events WHERE invoice_id = $1 AND type LIKE 'refund.%' ORDER BY position",
    [invoiceId],
  );
  expect(rows.map(({ type }) => type)).toEqual([
    'refund.created',
    'refund.succeeded',
    'refund.failed',
  ]);
  expect(rows[2].at).toEqual(shop.clock());
  expect(await ask(invoiceId, 7_999n)).toBe('SUCCEEDED');
  await shop.bank.deliver();
  await expectAgreement(invoiceId, intentId);
});

test('a refund of what another shop of the merchant sold is no business of ours', async () => {
  const { key } = shop.account;
  const { id } = shop.bank.books.makeIntent(key, { currency: 'usd', amount: 500 });
  shop.bank.books.settle(id);
  shop.bank.books.refund(key, { payment_intent: id });
  await shop.bank.deliver();
  expect(shop.bank.books.events).toEqual([]);
});
