import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../merchants/acquirer-accounts.ts';
import { openStripeShop, type StripeShop } from '../../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import type { BookLine } from '../../provider.ts';
import { StripeApi } from './api.ts';
import { readBooks } from './books.ts';

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());

async function linesOf(fromMs: number, toMs: number): Promise<BookLine[]> {
  const account = await openAccount(shop.database.pool, shop.account.id);
  if (!account) throw new Error('no account');
  const read = readBooks(new StripeApi(account, shop.bank.url), account.id);
  const lines: BookLine[] = [];
  for await (const line of read({ fromMs, toMs, known: [] })) lines.push(line);
  return lines;
}

test('all payments and refunds of a span are read, page after page, with whose they are', async () => {
  const { bank, account } = shop;
  const [paid, left, held] = [
    await shop.newInvoice(),
    await shop.newInvoice('EUR'),
    await shop.newInvoice(),
  ];
  const { id: paidId } = await bank.pay(await shop.atPage(paid));
  bank.books.pay(await shop.atPage(left), true);
  bank.delivery = 'held back';
  const { id: heldId } = bank.books.pay(await shop.atPage(held));
  const metadata = { refund_id: 'ref_1', account_id: account.id };
  bank.books.refund(account.key, { payment_intent: paidId, amount: '1000', metadata });
  bank.books.refund(account.key, { payment_intent: paidId, amount: '500' });
  const fromMs = shop.clock().getTime();
  shop.pass(1_000);
  const toMs = shop.clock().getTime();
  // The merchant sells elsewhere too, and in other currencies; this comes after the span.
  const elsewhere = bank.books.makeIntent(account.key, { amount: 5_000, currency: 'usd' });
  bank.books.makeIntent(account.key, { amount: 5_000, currency: 'gbp' });
  expect(await linesOf(fromMs, toMs)).toHaveLength(5);
  const lines = await linesOf(fromMs, toMs + 1_000);
  const [attempt] = await shop.attemptsOf(paid);
  expect(lines).toHaveLength(6);
  expect(lines.find(({ id }) => id === paidId)).toEqual({
    kind: 'payment',
    id: paidId,
    paymentId: paidId,
    ourId: attempt?.id,
    amountMinor: 7_999n,
    currency: 'USD',
    state: 'succeeded',
    createdAtMs: fromMs,
    feeMinor: 262n,
  });
  expect(lines.find(({ id }) => id === heldId)).toMatchObject({ state: 'held', feeMinor: null });
  expect(lines.find(({ currency }) => currency === 'EUR')).toMatchObject({ state: 'open' });
  expect(lines.find(({ id }) => id === elsewhere.id)).toMatchObject({ ourId: null });
  const refunded = lines.filter(({ kind }) => kind === 'refund');
  expect(refunded.map(({ ourId, amountMinor }) => [ourId, amountMinor])).toEqual([
    [null, 500n],
    ['ref_1', 1_000n],
  ]);
  expect(refunded.every(({ paymentId }) => paymentId === paidId)).toBe(true);
});

test('more than a page of Stripe’s list is read without a gap', async () => {
  shop.pass(60_000);
  const fromMs = shop.clock().getTime();
  const made = Array.from({ length: 250 }, () => {
    return shop.bank.books.makeIntent(shop.account.key, { amount: 100, currency: 'usd' }).id;
  });
  const lines = await linesOf(fromMs, fromMs + 1);
  expect(lines.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
});
