import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { toDecimalString } from '../../lib/money.ts';
import type { OpenAccount } from '../../merchants/acquirer-accounts.ts';
import { ClickDriver } from '../../testing/acquirers/click.ts';
import { MulticardStandIn } from '../../testing/acquirers/multicard.ts';
import { PaymeCalls } from '../../testing/acquirers/payme-calls.ts';
import { freePort } from '../../testing/ports.ts';
import type { InboundProvider } from '../provider.ts';
import { Click } from './click/click.ts';
import { amountIn, parseClickCall } from './click/protocol.ts';
import { callbackSignature, Multicard } from './multicard/multicard.ts';
import { Payme } from './payme/payme.ts';

const SECRET = 'known to both';
const NOW = new Date('2026-11-21T12:00:00.000Z');
const clock = () => NOW;
const receiptUrl = (invoiceId: string) => `https://pay.example.com/pay/${invoiceId}/receipt`;
const RETURN_URL = 'https://pay.example.com/pay/inv_1/return';

const accountWith = (provider: string, credentials: Record<string, string>): OpenAccount => ({
  id: `acq_of_${provider}`,
  merchantId: 'mer_1',
  environment: 'sandbox',
  provider,
  name: provider,
  position: 1,
  isEnabled: true,
  createdAtMs: NOW.getTime(),
  disconnectedAtMs: null,
  checkedAtMs: null,
  checkFault: null,
  calledAtMs: null,
  callFault: null,
  failureCount: 0,
  failedAtMs: null,
  failure: null,
  downSinceMs: null,
  noteCall: async () => undefined,
  credentials,
});

let bank: MulticardStandIn;
let payme: Payme;
let click: Click;
let multicard: Multicard;

beforeAll(async () => {
  // Nothing listens there.
  const db = openPool(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`, 1);
  bank = new MulticardStandIn(SECRET);
  const apiUrl = await bank.listen();
  payme = new Payme(db, {
    account: accountWith('payme', { merchant_id: '587f72c72cac0d162c722ae2', key: SECRET }),
    checkoutUrl: 'https://checkout.paycom.uz',
    clock,
    receiptUrl,
  });
  const service = { merchant_id: '777', service_id: '12345', secret_key: SECRET };
  const payUrl = 'https://my.click.uz/services/pay';
  click = new Click(db, {
    account: accountWith('click', service),
    payUrl,
    apiUrl,
    clock,
    receiptUrl,
  });
  const store = { store_id: '6', application_id: 'app', secret: SECRET };
  const codes = { mxik: '01234567890123456', package_code: '1500000' };
  multicard = new Multicard({
    account: accountWith('multicard', { ...store, ...codes }),
    apiUrl,
    clock,
  });
});
afterAll(() => bank.close());

/** What an acquirer's page is asked for, read as the acquirer reads it: tiyin. */
async function askedAmounts(amountMinor: bigint) {
  const order = { invoiceId: 'inv_1', amountMinor, locale: 'uz', returnUrl: RETURN_URL } as const;
  const paymeText = Buffer.from(payme.link(order).split('/').at(-1) ?? '', 'base64').toString();
  const { searchParams } = new URL(click.link(order));
  const form = new URLSearchParams({ amount: searchParams.get('amount') ?? '' });
  const started = await multicard.start({
    ...order,
    attemptId: 'pay_1',
    currency: 'UZS',
    description: 'Ticket',
    buyerEmail: null,
    positions: [{ title: 'Ticket', amountMinor }],
    hookUrl: 'https://pay.example.com/hook',
    createdAtMs: NOW.getTime(),
  });
  const uuid = 'authorisationId' in started ? started.authorisationId : null;
  const invoice = bank.invoices.get(uuid ?? '');
  return {
    payme: BigInt(/;a=(\d+);/.exec(paymeText)?.[1] ?? 0),
    click: amountIn(parseClickCall(Buffer.from(String(form))).call),
    multicard: BigInt(invoice?.amount ?? 0),
    line: BigInt(invoice?.ofd[0]?.total ?? 0),
  };
}

test('every acquirer is asked for the invoice’s sum, to the tiyin', async () => {
  const cases = [1n, 7n, 10n, 99n, 100n, 7_999n, 50_999n, 3_313_973n, 10n ** 12n];
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 15n }), async (amount) => {
      const asked = { payme: amount, click: amount, multicard: amount, line: amount };
      expect(await askedAmounts(amount)).toEqual(asked);
    }),
    { numRuns: 30, examples: cases.map((each): [bigint] => [each]) },
  );
});

const takeRefund = () => Promise.reject(new Error('the database is away'));

/** Posts a text to a provider, without a database. */
const send = (provider: InboundProvider) => async (body: string, authorization?: string) => {
  const header = () => authorization ?? null;
  const request = { method: 'POST', header, body: Buffer.from(body) };
  const answer = await provider.handle(request, { takeRefund });
  expect(answer.status).toBe(200);
  return String(answer.body);
};

test('without a database Payme is told so in its protocol', async () => {
  const calls = new PaymeCalls(send(payme), { key: SECRET, clock });
  const order = { field: 'invoice_id', account: 'inv_1', amount: 150_000 };
  for (const [method, params] of [
    ['CheckPerformTransaction', calls.check(order)],
    ['CreateTransaction', calls.create(calls.newId(), order)],
    ['PerformTransaction', { id: calls.newId() }],
  ] as const) {
    expect((await calls.call(method, params)).error?.code).toBe(-32400);
  }
});

test('without a database Click is told so in its protocol', async () => {
  const driver = new ClickDriver(send(click), { serviceId: '12345', secretKey: SECRET });
  const order = { invoiceId: 'inv_1', amount: toDecimalString(150_000n, 'UZS') };
  const payment = driver.newPayment();
  expect((await driver.prepare(payment, order)).error).toBe(-7);
  expect((await driver.complete(payment, order, { prepareId: '1' })).error).toBe(-7);
});

test('a fault of ours is never a refusal for Multicard, which would return the money', async () => {
  const call = { store_id: 6, invoice_id: 'inv_01', amount: 150_000, uuid: 'u' };
  const values = { storeId: '6', invoiceId: 'inv_01', amount: '150000' };
  const text = JSON.stringify({ ...call, sign: callbackSignature(values, SECRET) });
  const resume = () => Promise.reject(new Error('the database is away'));
  // The signature covers the values, however the body writes them.
  for (const body of [
    text,
    text.replaceAll(',', ' ,\n\t'),
    text.replace('inv_', '\\u0069nv\\u005f'),
  ]) {
    const request = { method: 'POST', header: () => null, body: Buffer.from(body) };
    const actions = { resume, takeRefund, takeDispute: resume };
    const answer = await multicard.handle(request, actions);
    expect([answer.status, answer.body]).toEqual([500, '{}']);
  }
});
