import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAccount } from '../../../merchants/acquirer-accounts.ts';
import { openStripeShop, type StripeShop } from '../../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import type { RefundRequest } from '../../provider.ts';
import { StripeApi } from './api.ts';
import { StripeRefunds } from './refunds.ts';

const REFUND = 'POST /v1/refunds';

let shop: StripeShop;
let refunds: StripeRefunds;
let count = 0;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
  const account = await openAccount(shop.database.pool, shop.account.id);
  if (!account) throw new Error('no account');
  refunds = new StripeRefunds(new StripeApi(account, shop.bank.url));
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.faults.clear();
  shop.bank.books.refundStatus = 'succeeded';
});

/** A paid invoice, and a refund of a part of it that is still to be asked for. */
async function paidAndWanted(amountMinor = 3_000n): Promise<RefundRequest> {
  const invoiceId = await shop.newInvoice();
  const { id } = await shop.bank.pay(await shop.atPage(invoiceId));
  const [attempt] = await shop.attemptsOf(invoiceId);
  if (attempt?.status !== 'captured') throw new Error('not paid');
  count += 1;
  return {
    refundId: `ref_${count}`,
    payment: { ...attempt, transactionId: id },
    amountMinor,
    refundedBeforeMinor: 0n,
    reason: 'the parcel was lost',
    reference: null,
    createdAtMs: shop.clock().getTime(),
  };
}

const amountsOf = ({ payment }: RefundRequest) =>
  shop.bank.books
    .all('refund')
    .filter(({ payment_intent }) => payment_intent === payment.transactionId)
    .map(({ amount }) => amount);

test('parts are given back until nothing is left; more is refused in Stripe’s words', async () => {
  const first = await paidAndWanted();
  const done = await refunds.refund(first, shop.clock());
  expect(done).toEqual({
    state: 'succeeded',
    reference: expect.stringMatching(/^re_/),
    failureReason: null,
  });
  const rest = { ...first, refundId: 'ref_rest', amountMinor: 4_999n };
  expect(await refunds.refund(rest, shop.clock())).toMatchObject({ state: 'succeeded' });
  const more = { ...first, refundId: 'ref_more', amountMinor: 1n };
  expect(await refunds.refund(more, shop.clock())).toEqual({
    state: 'failed',
    reference: null,
    failureReason: 'Already refunded',
  });
  expect(amountsOf(first)).toEqual([3_000, 4_999]);
});

test.each(['cut before', 'cut after', '500'] as const)(
  'a refund whose answer was lost (%s), asked for again after a restart, is made once at most',
  async (fault) => {
    const wanted = await paidAndWanted();
    shop.bank.faults.set(REFUND, [fault]);
    await expect(refunds.refund(wanted, shop.clock())).rejects.toThrow();
    if (fault === '500') {
      // Stripe keeps it under its key: only a day later the same refund can be made.
      await expect(refunds.refund(wanted, shop.clock())).rejects.toThrow();
      expect(amountsOf(wanted)).toEqual([]);
      return;
    }
    expect(await refunds.refund(wanted, shop.clock())).toMatchObject({ state: 'succeeded' });
    expect(amountsOf(wanted)).toEqual([3_000]);
  },
);

test('once Stripe may have forgotten the key, the refund is looked for before it is made', async () => {
  const wanted = await paidAndWanted();
  shop.bank.faults.set(REFUND, ['cut after']);
  await expect(refunds.refund(wanted, shop.clock())).rejects.toThrow();
  shop.bank.forgetKeys();
  const later = new Date(shop.clock().getTime() + 24 * 3_600_000);
  expect(await refunds.refund(wanted, later)).toMatchObject({ state: 'succeeded' });
  expect(amountsOf(wanted)).toEqual([3_000]);
});

test('a pending refund is looked up by its reference, or by our id in the payment’s refunds', async () => {
  const wanted = await paidAndWanted();
  expect(await refunds.lookupRefund(wanted)).toEqual({ state: 'unknown' });
  shop.bank.books.refundStatus = 'pending';
  const { state, reference } = await refunds.refund(wanted, shop.clock());
  expect(state).toBe('pending');
  expect(await refunds.lookupRefund(wanted)).toMatchObject({ state: 'pending', reference });
  shop.bank.books.settleRefund(reference ?? '', 'failed', 'expired_or_canceled_card');
  for (const known of [wanted, { ...wanted, reference }]) {
    expect(await refunds.lookupRefund(known)).toEqual({
      state: 'failed',
      reference,
      failureReason: 'expired_or_canceled_card',
    });
  }
  expect(await refunds.lookupRefund({ ...wanted, reference: 're_0none' })).toEqual({
    state: 'unknown',
  });
});

test.each(['requires_action', 'something_new'])('a refund at %s is pending', async (status) => {
  const wanted = await paidAndWanted();
  const { reference } = await refunds.refund(wanted, shop.clock());
  Object.assign(shop.bank.books.objects.get(reference ?? '') ?? {}, { status });
  expect(await refunds.lookupRefund({ ...wanted, reference })).toMatchObject({ state: 'pending' });
});
