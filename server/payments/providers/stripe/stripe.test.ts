import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '../../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { changeAccount, checkAccount, connectAccount } from '../../accounts/accounts.ts';
import { methodsOf } from '../../accounts/methods.ts';
import { resumeOnReturn } from '../../resume.ts';

const ACTOR = { type: 'operator', id: null, label: 'test' } as const;
const CAPTURE = 'POST /v1/payment_intents/{id}/capture';
const CREATE = 'POST /v1/checkout/sessions';

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.bank.faults.clear();
  shop.bank.counts.clear();
  shop.bank.delivery = 'in order';
  shop.bank.books.heldAmount = null;
});

const capturesOf = () => shop.bank.counts.get(CAPTURE) ?? 0;

test('what is held there is captured, PAID and told once, with the particulars of the money', async () => {
  const invoiceId = await shop.newInvoice('EUR');
  const pageId = await shop.atPage(invoiceId);
  expect(await shop.start(invoiceId)).toMatchObject({ url: expect.stringContaining(pageId) });
  const { id: intentId } = await shop.bank.pay(pageId);
  await shop.bank.deliver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  const [told, ...others] = await shop.callbacksOf(invoiceId);
  expect(others).toEqual([]);
  expect(told?.extra_data).toEqual({
    provider: 'stripe',
    transaction_id: intentId,
    receipt_url: `https://pay.stripe.com/receipts/${intentId}`,
    account_id: shop.account.id,
  });
  const [attempt] = await shop.attemptsOf(invoiceId);
  expect(attempt).toMatchObject({ transactionId: intentId, cardBrand: 'visa', cardLast4: '4242' });
  // 2.9 % and 30 cents of 79.99.
  expect(attempt?.feeMinor).toBe(262n);
  const [page] = shop.bank.pagesOf(invoiceId);
  expect(page).toMatchObject({ amount_total: 7_999, currency: 'eur' });
});

test('ten webhooks and the return at once: one capture, one PAID, one notification', async () => {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  const [attempt] = await shop.attemptsOf(invoiceId);
  shop.bank.delivery = 'held back';
  shop.bank.books.pay(pageId);
  const event = shop.bank.books.events.find(({ type }) => type === 'checkout.session.completed');
  if (!event || !attempt) throw new Error('nothing was told');
  shop.bank.books.events.length = 0;
  const hook = () => shop.bank.post(shop.account.key, shop.bank.eventOf(event));
  const buyer = { clock: shop.clock, actor: { type: 'buyer' } } as const;
  await Promise.allSettled([
    ...Array.from({ length: 10 }, hook),
    resumeOnReturn(shop.database.pool, attempt.id, buyer),
  ]);
  expect(await hook()).toBe(200);
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  expect(capturesOf()).toBe(1);
  expect(await shop.callbacksOf(invoiceId)).toHaveLength(1);
});

test.each(['twice', 'out of order'] as const)(
  'events that come %s settle once',
  async (delivery) => {
    shop.bank.delivery = delivery;
    const invoiceId = await shop.newInvoice();
    await shop.bank.pay(await shop.atPage(invoiceId));
    expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
    expect(capturesOf()).toBe(1);
  },
);

test('without any webhook the payment is PAID within 90 seconds', async () => {
  shop.bank.delivery = 'held back';
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.pass(11_000);
  await shop.recover();
  shop.bank.books.pay(pageId);
  for (let seconds = 0; seconds < 90; seconds += 5) {
    shop.pass(5_000);
    await shop.recover();
  }
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
});

test('another sum than was asked for is never captured', async () => {
  shop.bank.books.heldAmount = 7_998;
  const invoiceId = await shop.newInvoice();
  await shop.bank.pay(await shop.atPage(invoiceId));
  const [status, attempt] = await shop.stateOf(invoiceId);
  expect([status, attempt]).toEqual(['PENDING', 'abandoned']);
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
  expect(capturesOf()).toBe(0);
});

test('what is held after a cancel is let go', async () => {
  shop.bank.delivery = 'held back';
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.bank.books.pay(pageId);
  expect((await shop.cancel(invoiceId)).outcome).toBe('canceled');
  shop.bank.delivery = 'in order';
  await shop.bank.deliver();
  expect(await shop.stateOf(invoiceId)).toEqual(['CANCELED', 'voided']);
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
});

test('a page that ended: the next press makes another one', async () => {
  shop.bank.delivery = 'held back';
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.pass(41 * 60_000);
  await shop.recover();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'abandoned']);
  shop.bank.delivery = 'in order';
  const nextId = await shop.atPage(invoiceId);
  expect(nextId).not.toBe(pageId);
  await shop.bank.pay(nextId);
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured', 'abandoned']);
});

test('a page that was left for another is closed, unless the buyer was faster', async () => {
  const invoiceId = await shop.newInvoice();
  const left = await shop.atPage(invoiceId);
  shop.pass(25 * 60_000);
  const next = await shop.atPage(invoiceId);
  await shop.recover();
  expect(shop.bank.books.objects.get(left)?.status).toBe('expired');
  // The same once more: this time money is held at the page that is to be closed.
  shop.pass(25 * 60_000);
  shop.bank.delivery = 'held back';
  const last = await shop.atPage(invoiceId);
  shop.bank.books.pay(next);
  await shop.recover();
  expect(shop.intentsOf(invoiceId)).toEqual(['canceled']);
  shop.bank.delivery = 'in order';
  await shop.bank.pay(last);
  expect((await shop.stateOf(invoiceId)).slice(0, 2)).toEqual(['PAID', 'captured']);
});

test('a card that is declined ends nothing: the buyer tries another one there', async () => {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.bank.books.pay(pageId, true);
  await shop.bank.deliver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
  await shop.bank.pay(pageId);
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  expect(shop.intentsOf(invoiceId)).toEqual(['succeeded']);
});

test.each([
  ['a status of the payment', { status: 'requires_levitation' }],
  ['a status while Stripe works', { status: 'processing' }],
])('%s that is not known to end leaves the attempt open', async (_, changed) => {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  shop.bank.delivery = 'held back';
  const intent = shop.bank.books.pay(pageId);
  Object.assign(intent, changed);
  shop.bank.delivery = 'in order';
  await shop.bank.deliver();
  expect(await shop.stateOf(invoiceId)).toEqual(['PENDING', 'challenge']);
  Object.assign(intent, { status: 'requires_capture' });
  shop.pass(11_000);
  await shop.recover();
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
});

test('a refused create began nothing: another method may be taken at once', async () => {
  const invoiceId = await shop.newInvoice();
  const other = await connectAccount(shop.database.pool, {
    merchantId: shop.merchant.id,
    environment: 'sandbox',
    provider: 'stripe',
    credentials: { secret_key: 'rk_test_unknown', webhook_secret: 'whsec_x' },
    actor: ACTOR,
    now: shop.clock(),
  });
  const by = { actor: ACTOR, now: shop.clock() };
  await changeAccount(shop.database.pool, shop.account.id, 'disable', by);
  expect(await shop.start(invoiceId, other.id)).toEqual({ outcome: 'refused' });
  await changeAccount(shop.database.pool, shop.account.id, 'enable', by);
  const { checkFault } = await checkAccount(shop.database.pool, other.id, shop.clock());
  expect(checkFault).toEqual({ code: 'credentials_refused', detail: '401' });
  const works = await checkAccount(shop.database.pool, shop.account.id, shop.clock());
  expect(works.checkFault).toBeNull();
  await shop.bank.pay(await shop.atPage(invoiceId));
  expect((await shop.stateOf(invoiceId))[0]).toBe('PAID');
});

test.each([
  ['live keys in the sandbox', 'sandbox', 'sk_live_1', 'credential_misplaced'],
  ['test keys in production', 'production', 'rk_test_1', 'credential_misplaced'],
  ['a publishable key', 'sandbox', 'pk_test_1', 'credential_invalid'],
] as const)('%s: no account', async (_, environment, secretKey, code) => {
  const connected = connectAccount(shop.database.pool, {
    merchantId: shop.merchant.id,
    environment,
    provider: 'stripe',
    credentials: { secret_key: secretKey, webhook_secret: 'whsec_1' },
    actor: ACTOR,
    now: shop.clock(),
  });
  await expect(connected).rejects.toMatchObject({ code, values: { name: 'secret_key' } });
});

test('amounts below Stripe’s least, and of more than eight digits, are not offered it', async () => {
  const idsFor = async (amountMinor: bigint) => {
    const { id: merchantId } = shop.merchant;
    const invoice = { merchantId, environment: 'sandbox', currency: 'USD', amountMinor } as const;
    return (await methodsOf(shop.database.pool, invoice)).map(({ id }) => id);
  };
  expect(await idsFor(49n)).not.toContain(shop.account.id);
  expect(await idsFor(50n)).toContain(shop.account.id);
  expect(await idsFor(99_999_999n)).toContain(shop.account.id);
  expect(await idsFor(100_000_000n)).not.toContain(shop.account.id);
});

test.each([50, 99, 100, 7_999, 50_999, 3_313_973, 99_999_999])(
  'Stripe is asked for the invoice’s sum, to the cent: %d',
  async (amountMinor) => {
    const invoiceId = await shop.newInvoice('USD', amountMinor);
    await shop.atPage(invoiceId);
    expect(shop.bank.pagesOf(invoiceId).map(({ amount_total }) => amount_total)).toEqual([
      amountMinor,
    ]);
  },
);

test('an account that is switched off ends what is under way', async () => {
  const invoiceId = await shop.newInvoice();
  const pageId = await shop.atPage(invoiceId);
  await shop.switchOff();
  expect(await shop.start(await shop.newInvoice())).toEqual({ outcome: 'unavailable' });
  await shop.bank.pay(pageId);
  expect(await shop.stateOf(invoiceId)).toEqual(['PAID', 'captured']);
  expect(shop.bank.counts.get(CREATE)).toBe(1);
});
