import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AcquirerAccount } from '../../../merchants/acquirer-accounts.ts';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import type { RefundRequest } from '../../provider.ts';
import { NotSentError } from '../acquirer-client.ts';

let shops: Awaited<ReturnType<typeof openShops>>;
let serial = 0;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());
beforeEach(() => {
  shops.bank.faults.clear();
  shops.bank.posts.length = 0;
  shops.bank.refundsBecome = 'succeeded';
});

/** A refund of a payment that is captured. */
async function asked(
  given: Partial<RefundRequest> = {},
  account: AcquirerAccount = shops.account,
): Promise<RefundRequest> {
  const { bank, newInvoice, attemptsOf, clock } = shops;
  const invoiceId = await newInvoice();
  const started = await shops.start(invoiceId, account, 'buyer@example.com');
  if (started.outcome !== 'elsewhere') throw new Error(started.outcome);
  bank.pay(started.url.split('/').at(-1) ?? '');
  await bank.deliver();
  const [attempt] = await attemptsOf(invoiceId);
  if (!attempt?.transactionId) throw new Error('it was not captured');
  serial += 1;
  return {
    refundId: `ref_${serial}`,
    payment: { ...attempt, transactionId: attempt.transactionId },
    amountMinor: 50_050n,
    refundedBeforeMinor: 0n,
    reason: 'Не подошло',
    reference: null,
    createdAtMs: clock().getTime(),
    ...given,
  };
}

const refundsOf = ({ payment }: RefundRequest) =>
  [...shops.bank.refunds.values()].filter(({ paymentId }) => paymentId === payment.transactionId);
const refundsAt = async (account = shops.account) => (await shops.open(account)).refunds;

test('parts are given back up to the whole, and what is beyond it fails', async () => {
  const refunds = await refundsAt();
  const first = await asked();
  const done = { state: 'succeeded', reference: expect.any(String), failureReason: null };
  expect(await refunds.refund(first, shops.clock())).toEqual(done);
  const rest = { ...first, refundId: `${first.refundId}b`, amountMinor: 100_000n };
  expect(await refunds.refund(rest, shops.clock())).toEqual(done);
  const more = { ...first, refundId: `${first.refundId}c`, amountMinor: 1n };
  expect(await refunds.refund(more, shops.clock())).toEqual({
    state: 'failed',
    reference: null,
    failureReason: expect.stringContaining('greater'),
  });
  expect(refundsOf(first)).toMatchObject([
    { amountMinor: 50_050n, description: 'Не подошло' },
    { amountMinor: 100_000n },
  ]);
});

test.each(['cut before', 'cut after', '500'] as const)(
  'a refund whose answer is lost (%s) and that is asked for again is one',
  async (fault) => {
    const refunds = await refundsAt();
    const request = await asked();
    shops.bank.faults.set('POST /refunds', [fault]);
    await expect(refunds.refund(request, shops.clock())).rejects.toThrow();
    expect(await refunds.refund(request, shops.clock())).toMatchObject({ state: 'succeeded' });
    expect(refundsOf(request)).toHaveLength(1);
  },
);

test('a day later the list tells of a refund whose answer was lost, and none is made again', async () => {
  const { bank, time, clock } = shops;
  const refunds = await refundsAt();
  const [lost, never] = [await asked(), await asked()];
  bank.faults.set('POST /refunds', ['cut after', 'cut before']);
  for (const each of [lost, never]) await expect(refunds.refund(each, clock())).rejects.toThrow();
  time.nowMs += 25 * 3_600_000;
  expect(await refunds.lookupRefund(lost)).toMatchObject({ state: 'succeeded' });
  expect(await refunds.lookupRefund(never)).toEqual({ state: 'unknown' });
  for (const each of [lost, never]) {
    expect(await refunds.refund(each, clock())).toMatchObject({ state: 'succeeded' });
    expect(refundsOf(each)).toHaveLength(1);
  }
});

test('a pending refund is asked about by its reference until it ends', async () => {
  const { bank, clock } = shops;
  const refunds = await refundsAt();
  bank.refundsBecome = 'pending';
  const ends = [
    ['succeeded', null],
    ['canceled', 'insufficient_funds'],
  ] as const;
  for (const [status, failureReason] of ends) {
    const request = await asked();
    const begun = await refunds.refund(request, clock());
    expect(begun).toEqual({
      state: 'pending',
      reference: expect.any(String),
      failureReason: null,
    });
    const known = { ...request, reference: begun.reference };
    expect(await refunds.lookupRefund(known)).toMatchObject({ state: 'pending' });
    const refund = bank.refundOf(null, begun.reference ?? '');
    refund.status = 'a status of tomorrow';
    expect(await refunds.lookupRefund(known)).toMatchObject({ state: 'pending' });
    bank.endRefund(refund.id, status);
    const state = status === 'succeeded' ? 'succeeded' : 'failed';
    expect(await refunds.lookupRefund(known)).toMatchObject({ state, failureReason });
  }
});

test('a shop that is not let in, or comes too often, has asked for nothing', async () => {
  const refunds = await refundsAt();
  const request = await asked();
  shops.bank.faults.set('POST /refunds', ['too many']);
  await expect(refunds.refund(request, shops.clock())).rejects.toThrow(NotSentError);
  expect(await refunds.refund(request, shops.clock())).toMatchObject({ state: 'succeeded' });
});

test('a body that changed under one key leaves open what the first one led to', async () => {
  const refunds = await refundsAt();
  const request = await asked();
  await refunds.refund(request, shops.clock());
  const changed = { ...request, reason: 'другое' };
  const failed = await refunds.refund(changed, shops.clock()).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed).not.toBeInstanceOf(NotSentError);
  expect(await refunds.lookupRefund(changed)).toMatchObject({ state: 'succeeded' });
});

test('receipts go with the payment and with a partial refund, each of its own sum', async () => {
  const { withReceipts, bank, clock } = shops;
  const refunds = await refundsAt(withReceipts);
  const part = await asked({}, withReceipts);
  const whole = await asked({ amountMinor: 150_050n }, withReceipts);
  const [payment] = bank.of(part.payment.invoiceId);
  const line = {
    quantity: '1.00',
    vat_code: 11,
    payment_subject: 'commodity',
    payment_mode: 'full_payment',
  };
  const receipt = { customer: { email: 'buyer@example.com' }, tax_system_code: 2 };
  const amount = { value: '1500.50', currency: 'RUB' };
  const items = [{ ...line, description: 'Билет', amount }];
  expect(payment?.receipt).toEqual({ ...receipt, items });
  for (const each of [part, whole]) {
    expect(await refunds.refund(each, clock())).toMatchObject({ state: 'succeeded' });
  }
  const description = part.payment.startRequest?.description;
  const back = [{ ...line, description, amount: { ...amount, value: '500.50' } }];
  expect(refundsOf(part)[0]?.receipt).toEqual({ ...receipt, items: back });
  expect(refundsOf(whole)[0]?.receipt).toBeNull();
});
