import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '../../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';

const SESSION = 'GET /v1/checkout/sessions/{id}';

let shop: StripeShop;
let other: Awaited<ReturnType<StripeShop['connect']>>;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
  other = await shop.connect('other');
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.faults.clear();
  shop.bank.delivery = 'held back';
  shop.bank.books.events.length = 0;
});

/** A payment that is held and that no webhook has told of; its event. */
async function heldPayment() {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.bank.books.pay(pageId);
  const happened = shop.bank.books.events.find(({ type }) => type === 'checkout.session.completed');
  if (!happened) throw new Error('nothing happened');
  shop.bank.books.events.length = 0;
  return { invoiceId, event: shop.bank.eventOf(happened) };
}

const post = (event: object, changed: object = {}) =>
  shop.bank.post(shop.account.key, { ...event, ...changed });

test('a webhook of another account’s secret, or of the other environment, is turned away', async () => {
  const { invoiceId, event } = await heldPayment();
  const body = JSON.stringify(event);
  const send = (signature?: string) =>
    fetch(shop.hookOf(shop.account), {
      method: 'POST',
      body,
      ...(signature === undefined ? {} : { headers: { 'stripe-signature': signature } }),
    });
  expect((await send()).status).toBe(400);
  const forged = shop.bank.signature(other.key, body);
  expect((await send(forged)).status).toBe(400);
  expect(await post(event, { livemode: true })).toBe(400);
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
  expect((await send(shop.bank.signature(shop.account.key, body))).status).toBe(200);
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
});

test('an event at the hook of the merchant’s other account moves nothing', async () => {
  const { invoiceId, event } = await heldPayment();
  // As from one account at Stripe that is connected twice: nothing to come again for.
  expect(await shop.bank.post(other.key, event)).toBe(200);
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
});

test('a body that says paid is not believed: the payment there decides', async () => {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  const page = shop.bank.books.objects.get(pageId);
  const object = { ...page, id: pageId, object: 'checkout.session', status: 'complete' };
  const event = shop.bank.eventOf({ type: 'checkout.session.completed', object });
  expect(await post(event)).toBe(200);
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
});

test('an event that comes before our attempt is there comes again', async () => {
  const { event } = await heldPayment();
  const { data } = event as { data: { object: { metadata: Record<string, string> } } };
  const metadata = { ...data.object.metadata, attempt_id: 'pay_not_there_yet' };
  const early = { ...event, data: { object: { ...data.object, metadata } } };
  expect(await post(early)).toBe(503);
});

test.each(['cut before', 'cut after', '500'] as const)(
  'while the question fails (%s) the webhook comes again, and then settles',
  async (fault) => {
    const { invoiceId, event } = await heldPayment();
    shop.bank.faults.set(SESSION, [fault]);
    expect(await post(event)).not.toBe(200);
    expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
    expect(await post(event)).toBe(200);
    expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  },
);

test('events of other kinds, and of the merchant’s other shops, are let go', async () => {
  const { invoiceId, event } = await heldPayment();
  expect(await post(event, { type: 'customer.created' })).toBe(200);
  expect(await post(event, { data: { object: { id: 'pi_1', metadata: {} } } })).toBe(200);
  expect(await post(event, { data: { object: { id: 'pi_1' } } })).toBe(200);
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
});
