import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import type { AcquirerAccount } from '../../../merchants/acquirer-accounts.ts';
import { answerAcquirer } from '../../../testing/acquirers/answer-hook.ts';
import { ClickDriver, type ClickOrder } from '../../../testing/acquirers/click.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { connectAccount } from '../../accounts/accounts.ts';
import { listAttempts } from '../../data.ts';
import { clickLink, clickSignature, merchantApiAuth, parseClickCall } from './protocol.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SERVICE = { serviceId: '12345', secretKey: 'secret_key_123' };
const clock = () => NOW;

let database: TestDatabase;
let merchant: MerchantFixture;
let account: AcquirerAccount;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  merchant = await createMerchantFixture(database.pool);
  account = await connectAccount(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    provider: 'click',
    credentials: {
      merchant_id: 777,
      service_id: SERVICE.serviceId,
      merchant_user_id: '42',
      secret_key: SERVICE.secretKey,
    },
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
});
afterAll(() => database.drop());

function driver(rewrite = (body: string) => body): ClickDriver {
  return new ClickDriver(async (body) => {
    const request = { method: 'POST', header: () => null, body: Buffer.from(rewrite(body)) };
    const where = { provider: 'click', accountId: account.id };
    const answer = await answerAcquirer(database.pool, where, request, clock);
    expect(answer?.status).toBe(200);
    return answer?.body ?? '';
  }, SERVICE);
}

async function newOrder(amountMinor = 150_000, amount = '1500.00'): Promise<ClickOrder> {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: NOW,
    currency: 'UZS',
    amountMinor,
    positions: [{ title: 'Ticket', amountMinor, currency: 'UZS' }],
  });
  return { invoiceId, amount };
}

const statusOf = async ({ invoiceId }: ClickOrder) =>
  (await readInvoiceForBuyer(database.pool, invoiceId, { now: NOW }))?.status;

test('Click’s fifteen scenarios are answered as it prescribes', async () => {
  const orders = [await newOrder(), await newOrder(), await newOrder()] as const;
  await driver().runAll(orders);
  expect(await Promise.all(orders.map(statusOf))).toEqual(['PAID', 'PAID', 'PENDING']);
});

test.each([
  ['0', '1000', 'a77f52a15571fc05ccfc79345829ade0'],
  ['0', '1000.00', '7a3acc844e7b2a12fe140c1eb1a49ab2'],
  ['0', '1000.0', 'd50da854f2e68fed4cbb25c92c42ed68'],
  ['0', '1500.5', '398fb18157bc87d05cb84dce167f81af'],
  ['0', '38400', '5832ed3ea4cc55de99f66e9e307f411a'],
  ['1', '1000', '5b8137bdf731505e0f66387a52568fc9'],
  ['1', '1000.00', '0992ece8f594782b2fb4b4648edba010'],
])('action %s with amount %s is signed %s', (action, amount, signature) => {
  const form = new URLSearchParams({
    click_trans_id: '8690001',
    service_id: '12345',
    merchant_trans_id: 'inv_01',
    merchant_prepare_id: '777',
    amount,
    action,
    sign_time: '2026-11-28 12:34:56',
  });
  const { call } = parseClickCall(Buffer.from(String(form)));
  expect(clickSignature(call, 'secret_key_123')).toBe(signature);
});

test.each([
  [100_000, '1000'],
  [100_000, '1000.0'],
  [100_000, '1000.00'],
  [3_313_973, '33139.73'],
])('%d tiyin are paid by "%s"', async (amountMinor, amount) => {
  const order = await newOrder(amountMinor, amount);
  const click = driver();
  const payment = click.newPayment();
  const { merchant_prepare_id: prepareId } = await click.prepare(payment, order);
  const completed = await click.complete(payment, order, { prepareId: String(prepareId) });
  expect(completed).toMatchObject({ error: 0, merchant_confirm_id: prepareId });
  expect(await statusOf(order)).toBe('PAID');
});

test('an id beyond 2^53 comes back as the digits that came, and a repeated Prepare with its number', async () => {
  const order = await newOrder();
  const click = driver();
  const payment = { transId: '9223372036854775807', paydocId: '9223372036854775806' };
  const first = await click.prepare(payment, order);
  expect(click.texts[0]).toContain('"click_trans_id":9223372036854775807,');
  expect(await click.prepare(payment, order)).toEqual(first);
  const other = await click.prepare(click.newPayment(), order);
  expect(other.error).toBe(-8);
});

test('fifty repeats of a call at once have one effect', async () => {
  const order = await newOrder();
  await driver().repeatAll(order);
  expect(await statusOf(order)).toBe('PAID');
  expect(await listAttempts(database.pool, order.invoiceId)).toHaveLength(1);
});

test('how a form writes its texts changes no signature, and one changed text does', async () => {
  const order = await newOrder();
  let rewrite = (body: string) => body;
  const click = driver((body) => rewrite(body));
  const payment = click.newPayment();
  // Blanks as %20, colons as they are, hex digits in lower case.
  rewrite = (body) => body.replaceAll('+', '%20').replaceAll('%3A', ':').replaceAll('_', '%5f');
  expect((await click.prepare(payment, order)).error).toBe(0);
  rewrite = (body) => body.replace('1500.00', '1500.0');
  expect((await click.prepare(payment, order)).error).toBe(-1);
});

test('the acquirer’s number of the payment is told to the merchant', async () => {
  const order = await newOrder();
  const click = driver();
  const payment = click.newPayment();
  const { merchant_prepare_id: prepareId } = await click.prepare(payment, order);
  await click.complete(payment, order, { prepareId: String(prepareId) });
  const { rows } = await database.pool.query('SELECT body FROM callbacks WHERE invoice_id = $1', [
    order.invoiceId,
  ]);
  expect(rows).toHaveLength(1);
  expect(JSON.parse(rows[0].body.toString()).extra_data).toMatchObject({
    provider: 'click',
    transaction_id: payment.paydocId,
  });
});

test('the link has the documented names and no signature', () => {
  const link = clickLink('https://my.click.uz/services/pay', {
    serviceId: '12345',
    merchantId: '777',
    invoiceId: 'inv_1',
    amount: '1500.00',
    returnUrl: 'https://pay.example.com/pay/inv_1/return',
  });
  expect(link).toBe(
    'https://my.click.uz/services/pay?service_id=12345&merchant_id=777&amount=1500.00' +
      '&transaction_param=inv_1&return_url=https%3A%2F%2Fpay.example.com%2Fpay%2Finv_1%2Freturn',
  );
});

test('the Merchant API is asked by a digest of the seconds and the key', () => {
  const now = new Date(1_519_051_543_000);
  expect(merchantApiAuth('42', 'secret_key_123', now)).toBe(
    '42:cb22ace270c76a336a85782dbd524ff5d7f2ae99:1519051543',
  );
});
