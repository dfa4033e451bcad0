// The worker's client of callbacks: once it is there, Node's own fetch sends by it.
import 'undici';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openStripeShop, type StripeShop } from '../../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';

const CREATE = 'POST /v1/checkout/sessions';
const CAPTURE = 'POST /v1/payment_intents/{id}/capture';
const CANCEL = 'POST /v1/payment_intents/{id}/cancel';
const EXPIRE = 'POST /v1/checkout/sessions/{id}/expire';

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.faults.clear();
  shop.bank.counts.clear();
  shop.bank.delivery = 'held back';
  shop.bank.books.events.length = 0;
});

const doneOf = (operation: string) => shop.bank.counts.get(operation) ?? 0;

/** Another process takes over, as after a restart: each look is later than the last lease. */
async function takeOver(): Promise<void> {
  for (let look = 0; look < 3; look++) {
    shop.pass(16_000);
    await shop.recover();
  }
}

test.each(['cut before', 'cut after'] as const)(
  'a create whose answer was lost (%s), repeated after a restart, makes one page',
  async (fault) => {
    const invoiceId = await shop.newInvoice();
    shop.bank.faults.set(CREATE, [fault]);
    expect(await shop.start(invoiceId)).toEqual({ outcome: 'unknown' });
    expect(await shop.start(invoiceId)).toEqual({ outcome: 'in_progress' });
    await takeOver();
    expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
    expect(shop.bank.pagesOf(invoiceId)).toHaveLength(1);
    await shop.bank.pay(await shop.atPage(invoiceId));
    await takeOver();
    expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  },
);

test('a 500 that Stripe keeps ends the attempt, and the next press makes another one', async () => {
  const invoiceId = await shop.newInvoice();
  shop.bank.faults.set(CREATE, ['500']);
  expect(await shop.start(invoiceId)).toEqual({ outcome: 'unknown' });
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'failed']);
  await shop.bank.pay(await shop.atPage(invoiceId));
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured', 'failed']);
});

test('a create is not repeated once its page would live for less than Stripe demands', async () => {
  const invoiceId = await shop.newInvoice();
  shop.bank.faults.set(CREATE, ['cut before', 'cut before']);
  await shop.start(invoiceId);
  shop.pass(9 * 60_000 + 1_000);
  await shop.recover();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'failed']);
  expect(shop.bank.faults.get(CREATE)).toHaveLength(1);
  expect(shop.bank.pagesOf(invoiceId)).toEqual([]);
});

test.each(['cut before', 'cut after', 'slow'] as const)(
  'a capture whose answer was lost (%s), repeated after a restart, takes the money once',
  async (fault) => {
    const invoiceId = await shop.newInvoice();
    await shop.bank.pay(await shop.atPage(invoiceId));
    shop.bank.faults.set(CAPTURE, [fault]);
    await takeOver();
    expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
    expect(shop.intentsOf(invoiceId)).toEqual(['succeeded']);
    expect(doneOf(CAPTURE)).toBe(1);
    expect(await shop.callbacksOf(invoiceId)).toHaveLength(1);
  },
);

test('a fee that Stripe does not tell keeps nobody from PAID', async () => {
  const invoiceId = await shop.newInvoice();
  await shop.bank.pay(await shop.atPage(invoiceId));
  shop.bank.faults.set('GET /v1/balance_transactions/{id}', ['cut before']);
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  expect((await shop.attemptsOf(invoiceId))[0]).toMatchObject({
    feeMinor: null,
    cardLast4: '4242',
  });
});

test('a capture that Stripe answers by 500 for good lets the money go, and the buyer pays anew', async () => {
  const invoiceId = await shop.newInvoice();
  await shop.bank.pay(await shop.atPage(invoiceId));
  shop.bank.faults.set(CAPTURE, ['500']);
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'voided']);
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
  await shop.bank.pay(await shop.atPage(invoiceId));
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured', 'voided']);
});

test.each(['cut before', 'cut after'] as const)(
  'a cancel whose answer was lost (%s), repeated after a restart, lets go once',
  async (fault) => {
    const invoiceId = await shop.newInvoice();
    await shop.bank.pay(await shop.atPage(invoiceId));
    await shop.cancel(invoiceId);
    shop.bank.faults.set(CANCEL, [fault]);
    await takeOver();
    expect(await shop.stateOf(invoiceId)).toEqual(['CANCELED', 'voided']);
    expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
    expect(doneOf(CANCEL)).toBe(1);
  },
);

test('a cancel that Stripe answers by 500 for good lets go under no key', async () => {
  const invoiceId = await shop.newInvoice();
  await shop.bank.pay(await shop.atPage(invoiceId));
  await shop.cancel(invoiceId);
  shop.bank.faults.set(CANCEL, ['500']);
  await takeOver();
  expect(await shop.stateOf(invoiceId)).toEqual(['CANCELED', 'voided']);
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
});

test.each(['cut before', 'cut after', '500'] as const)(
  'a page whose end was not answered (%s) is ended at the next look',
  async (fault) => {
    const invoiceId = await shop.newInvoice();
    await shop.atPage(invoiceId);
    shop.bank.faults.set(EXPIRE, [fault]);
    shop.pass(25 * 60_000);
    await shop.atPage(invoiceId);
    await takeOver();
    expect((await shop.stateOf(invoiceId)).at(-1)).toBe('abandoned');
    expect(shop.bank.pagesOf(invoiceId).map(({ status }) => status)).toEqual(['expired', 'open']);
  },
);

test('a buyer who pays while the page is being closed gets the money back at once', async () => {
  const { books } = shop.bank;
  const invoiceId = await shop.newInvoice();
  await shop.atPage(invoiceId);
  const expire = books.expirePage.bind(books);
  vi.spyOn(books, 'expirePage').mockImplementationOnce((owner, id) => {
    books.pay(id);
    return expire(owner, id);
  });
  shop.pass(25 * 60_000);
  await shop.atPage(invoiceId);
  await shop.recover();
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
  expect((await shop.stateOf(invoiceId)).at(-1)).toBe('abandoned');
});

test.each(['cut after', '500'] as const)(
  'what somebody captured at Stripe, after the invoice was cancelled, is given back once (%s)',
  async (fault) => {
    const invoiceId = await shop.newInvoice();
    const { id } = await shop.bank.pay(await shop.atPage(invoiceId));
    await shop.cancel(invoiceId);
    shop.bank.books.capture(shop.account.key, id);
    shop.bank.faults.set('POST /v1/refunds', [fault]);
    await takeOver();
    expect(await shop.stateOf(invoiceId)).toEqual(['CANCELED', 'voided']);
    const refunds = shop.bank.books.all('refund').filter((each) => each.payment_intent === id);
    expect(refunds.map(({ amount }) => amount)).toEqual([7_999]);
  },
);
