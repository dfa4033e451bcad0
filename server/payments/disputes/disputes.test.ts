import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../testing/settings.ts';
import { listDisputesOfInvoice } from './disputes.ts';

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.delivery = 'in order';
});

async function paid(): Promise<{ invoiceId: string; intentId: string }> {
  const invoiceId = await shop.newInvoice();
  const { id: intentId } = await shop.bank.pay(await shop.atPage(invoiceId));
  return { invoiceId, intentId };
}

test('a dispute is kept with its invoice until it is decided, told twice or not', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.delivery = 'twice';
  const { id } = shop.bank.books.dispute(intentId, 'needs_response');
  await shop.bank.deliver();
  const openedAtMs = shop.clock().getTime();
  const kept = {
    id,
    accountId: shop.account.id,
    invoiceId,
    amountMinor: 7_999n,
    currency: 'USD',
    reason: 'fraudulent',
    status: 'needs_response',
    createdAtMs: openedAtMs,
    updatedAtMs: openedAtMs,
    closedAtMs: null,
  };
  expect(await listDisputesOfInvoice(shop.database.pool, invoiceId)).toEqual([kept]);
  shop.pass(60_000);
  shop.bank.books.dispute(intentId, 'lost');
  await shop.bank.deliver();
  const closedAtMs = openedAtMs + 60_000;
  expect(await listDisputesOfInvoice(shop.database.pool, invoiceId)).toEqual([
    { ...kept, status: 'lost', updatedAtMs: closedAtMs, closedAtMs },
  ]);
});

test('news that comes late says what is true now', async () => {
  const { invoiceId, intentId } = await paid();
  shop.bank.delivery = 'held back';
  shop.bank.books.dispute(intentId, 'needs_response');
  shop.bank.books.dispute(intentId, 'won');
  shop.bank.delivery = 'out of order';
  await shop.bank.deliver();
  const disputes = await listDisputesOfInvoice(shop.database.pool, invoiceId);
  expect(disputes.map(({ status }) => status)).toEqual(['won']);
});

test('a dispute of what another shop of the merchant sold is no business of ours', async () => {
  const { key } = shop.account;
  const { id } = shop.bank.books.makeIntent(key, { currency: 'usd', amount_received: 500 });
  shop.bank.books.dispute(id, 'needs_response');
  await shop.bank.deliver();
  expect(shop.bank.books.events).toEqual([]);
});
