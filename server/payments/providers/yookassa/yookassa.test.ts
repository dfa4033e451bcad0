import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShops } from '../../../testing/acquirers/yookassa-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { resumeOnReturn } from '../../resume.ts';

let shops: Awaited<ReturnType<typeof openShops>>;

withOwnDataDir();
beforeAll(async () => {
  shops = await openShops();
});
afterAll(() => shops.close());
beforeEach(() => {
  shops.bank.faults.clear();
  shops.bank.posts.length = 0;
  shops.bank.news.length = 0;
  shops.bank.captures = 'at once';
});

const captures = () =>
  shops.bank.posts.filter(({ operation }) => operation.endsWith('/capture')).length;

test('what is paid there is captured once and PAID here, told once, with its card and its fee', async () => {
  const { bank, newInvoice, atPage, start, attemptsOf } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  expect(await start(invoiceId)).toMatchObject({ url: expect.stringContaining(id) });
  bank.pay(id);
  expect(await bank.deliver({ times: 3 })).toEqual([200, 200, 200]);
  expect(await bank.deliver()).toEqual([200]);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  const [attempt, ...others] = await attemptsOf(invoiceId);
  expect(others).toEqual([]);
  // 3.5 per cent of 1500.50.
  const settled = { cardBrand: 'mir', cardLast4: '0004', feeMinor: 5251n, transactionId: id };
  expect(attempt).toMatchObject({ status: 'captured', ...settled });
  const [told, ...more] = await shops.callbacksOf(invoiceId);
  expect(more).toEqual([]);
  expect(told?.extra_data).toMatchObject({
    provider: 'yookassa',
    transaction_id: id,
    account_id: shops.account.id,
  });
  expect(captures()).toBe(1);
  expect(bank.of(invoiceId)).toMatchObject([{ status: 'succeeded', amountMinor: 150_050n }]);
});

test('of ten notifications and the return at once one captures, and one callback is told', async () => {
  const { bank, newInvoice, atPage, attemptsOf, clock } = shops;
  const invoiceId = await newInvoice();
  bank.pay(await atPage(invoiceId));
  const [attempt] = await attemptsOf(invoiceId);
  await Promise.all([
    bank.deliver({ times: 10 }),
    resumeOnReturn(shops.pool, attempt?.id ?? '', { clock, actor: { type: 'buyer' } }),
  ]);
  await shops.after(11);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  expect(await shops.callbacksOf(invoiceId)).toHaveLength(1);
  expect(bank.news.filter(({ event }) => event === 'payment.succeeded')).toHaveLength(1);
  expect(await shops.statusesOf(invoiceId)).toEqual(['captured']);
});

test('news that come late and in the wrong order change nothing that is settled', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  bank.pay(await atPage(invoiceId));
  await shops.after(11);
  expect(bank.news.map(({ event }) => event)).toEqual([
    'payment.waiting_for_capture',
    'payment.succeeded',
  ]);
  await bank.deliver({ times: 2, isReversed: true });
  expect(await shops.statusesOf(invoiceId)).toEqual(['captured']);
  expect(await shops.callbacksOf(invoiceId)).toHaveLength(1);
});

test('without any notification it is PAID within 90 seconds', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  await shops.after(12);
  bank.pay(id);
  for (let second = 0; second < 90; second += 10) await shops.after(10);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test('a capture that YooKassa still works on keeps the invoice, and is asked about', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  bank.captures = 'later';
  bank.pay(id);
  await bank.deliver();
  expect(await shops.statusesOf(invoiceId)).toEqual(['capturing']);
  expect((await shops.cancel(invoiceId)).outcome).not.toBe('canceled');
  bank.carryOut(id);
  await shops.after(61);
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test.each([
  ['insufficient_funds', 'insufficient_funds'],
  ['3d_secure_failed', 'authentication_failed'],
  ['card_expired', 'expired_card'],
  ['invalid_csc', 'incorrect_cvc'],
  ['fraud_suspected', 'generic_decline'],
  ['a_reason_of_tomorrow', 'generic_decline'],
])('refused for %s there is declined for %s here', async (reason, declineReason) => {
  const { bank, newInvoice, atPage, attemptsOf } = shops;
  const invoiceId = await newInvoice();
  bank.decline(await atPage(invoiceId), reason);
  expect(await bank.deliver()).toEqual([200]);
  expect(await attemptsOf(invoiceId)).toMatchObject([{ status: 'declined', declineReason }]);
  expect(await shops.statusOf(invoiceId)).toBe('PENDING');
});

test('a status of tomorrow decides nothing, and is asked about again', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  const payment = bank.payment(null, id);
  payment.status = 'thinking';
  expect((await shops.after(11)).errors).toEqual([]);
  expect(await shops.statusesOf(invoiceId)).toEqual(['challenge']);
  payment.status = 'pending';
  bank.pay(id);
  await bank.deliver();
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test('paid after a cancel is canceled there', async () => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  expect((await shops.cancel(invoiceId)).outcome).toBe('canceled');
  bank.pay(id);
  await bank.deliver();
  expect(bank.payment(null, id)).toMatchObject({ status: 'canceled' });
  expect(await shops.statusesOf(invoiceId)).toEqual(['voided']);
  expect(captures()).toBe(0);
});

test('paid after the invoice has expired is canceled there, without any notification', async () => {
  const { bank, newInvoice, atPage, time } = shops;
  const invoiceId = await newInvoice({ endDateMs: time.nowMs + 120_000 });
  const id = await atPage(invoiceId);
  time.nowMs += 121_000;
  bank.pay(id);
  await shops.after(1);
  expect(bank.payment(null, id)).toMatchObject({ status: 'canceled' });
  expect(captures()).toBe(0);
});

test.each([
  ['sum', { amountMinor: 150_049n }],
  ['currency', { currency: 'USD' }],
])('another %s than was asked for is never captured, and is canceled there', async (_, changed) => {
  const { bank, newInvoice, atPage } = shops;
  const invoiceId = await newInvoice();
  const id = await atPage(invoiceId);
  Object.assign(bank.payment(null, id), changed);
  bank.pay(id);
  await bank.deliver();
  expect(captures()).toBe(0);
  expect(bank.payment(null, id)).toMatchObject({ status: 'canceled' });
  expect(await shops.statusOf(invoiceId)).toBe('PENDING');
});

test('what was captured in the cabinet pays the invoice, and goes back where that is closed', async () => {
  const { bank, newInvoice, atPage } = shops;
  const shop = bank.shops.get('100500');
  if (!shop) throw new Error('there is no shop');
  const [open, closed] = [await newInvoice(), await newInvoice()];
  for (const invoiceId of [open, closed]) {
    const id = await atPage(invoiceId);
    if (invoiceId === closed) await shops.cancel(invoiceId);
    bank.pay(id);
    bank.capture(shop, id, {});
  }
  await shops.after(11);
  expect(await shops.statusOf(open)).toBe('PAID');
  expect(bank.of(closed)).toMatchObject([{ status: 'succeeded', refundedMinor: 150_050n }]);
  expect(bank.of(open)).toMatchObject([{ refundedMinor: 0n }]);
});

test('a page that has ended without news is followed by a fresh one', async () => {
  const { bank, newInvoice, atPage, time } = shops;
  const invoiceId = await newInvoice();
  const first = await atPage(invoiceId);
  time.nowMs += 61 * 60_000;
  const second = await atPage(invoiceId);
  expect(second).not.toBe(first);
  await shops.after(1);
  expect(await shops.statusesOf(invoiceId)).toEqual(['challenge', 'abandoned']);
  bank.pay(second);
  await bank.deliver();
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
});

test('a page that was left for another one and paid late gives the money back', async () => {
  const { bank, newInvoice, atPage, time } = shops;
  const invoiceId = await newInvoice();
  const first = await atPage(invoiceId);
  time.nowMs += 31 * 60_000;
  const second = await atPage(invoiceId);
  await shops.after(1);
  bank.pay(second);
  await bank.deliver();
  expect(await shops.statusOf(invoiceId)).toBe('PAID');
  for (const seconds of [600, 600]) await shops.after(seconds);
  // It is asked about every ten minutes, not each time that recovery runs.
  const asked = bank.counts.get('GET /payments/:id');
  for (const seconds of [15, 15]) await shops.after(seconds);
  expect(bank.counts.get('GET /payments/:id')).toBe(asked);
  // The first page is open for almost an hour.
  bank.pay(first);
  bank.news.length = 0;
  await shops.after(600);
  expect(bank.payment(null, first)).toMatchObject({ status: 'canceled' });
  expect(bank.payment(null, second)).toMatchObject({ status: 'succeeded', refundedMinor: 0n });
  expect(await shops.statusesOf(invoiceId)).toEqual(['captured', 'voided']);
});
