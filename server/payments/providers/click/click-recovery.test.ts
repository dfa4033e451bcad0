import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import { expireDueInvoices } from '../../../invoices/expire.ts';
import type { AcquirerAccount } from '../../../merchants/acquirer-accounts.ts';
import { answerAcquirer } from '../../../testing/acquirers/answer-hook.ts';
import { ClickDriver, type ClickOrder } from '../../../testing/acquirers/click.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { forgetSettings, withOwnDataDir } from '../../../testing/settings.ts';
import { checkAccount, connectAccount } from '../../accounts/accounts.ts';
import { listAttempts } from '../../data.ts';
import { recoverPayments } from '../../recover.ts';
import { merchantApiAuth } from './protocol.ts';

const SERVICE = { serviceId: '12345', secretKey: 'secret_key_123' };
const MINUTE_MS = 60_000;

/** Click's Merchant API: its statuses by payment number, and the requests that it got. */
const books = new Map<string, number>();
let asked: string[] = [];
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs);

const api = createServer((request, response) => {
  const { url = '', method = '', headers } = request;
  const [, operation = '', number = ''] = /\/payment\/(\w+)\/12345\/(\d+)$/.exec(url) ?? [];
  const isIn = headers.auth === merchantApiAuth('42', SERVICE.secretKey, clock());
  asked.push(`${method} ${operation} ${number}`);
  response.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json' });
  if (operation === 'reversal') books.set(number, -99);
  const status = books.get(number) ?? 0;
  response.end(JSON.stringify({ error_code: 0, payment_id: number, payment_status: status }));
});

let database: TestDatabase;
let merchant: MerchantFixture;
let account: AcquirerAccount;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  vi.stubEnv('CLICK_API_URL', `http://127.0.0.1:${port}`);
  forgetSettings();
  merchant = await createMerchantFixture(database.pool);
  account = await connect(SERVICE.secretKey);
});
afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await database.drop();
});
beforeEach(() => {
  asked = [];
});

function connect(secretKey: string): Promise<AcquirerAccount> {
  return connectAccount(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    provider: 'click',
    credentials: {
      merchant_id: '777',
      service_id: SERVICE.serviceId,
      merchant_user_id: '42',
      secret_key: secretKey,
    },
    actor: { type: 'operator', id: null, label: 'test' },
    now: clock(),
  });
}

function driver({ id }: AcquirerAccount = account, secretKey = SERVICE.secretKey): ClickDriver {
  return new ClickDriver(
    async (body) => {
      const request = { method: 'POST', header: () => null, body: Buffer.from(body) };
      const where = { provider: 'click', accountId: id };
      return (await answerAcquirer(database.pool, where, request, clock))?.body ?? '';
    },
    { ...SERVICE, secretKey },
  );
}

async function newOrder(lifeMs = 60 * MINUTE_MS): Promise<ClickOrder> {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: clock(),
    endDateMs: nowMs + lifeMs,
    currency: 'UZS',
    amountMinor: 150_000,
    positions: [{ title: 'Ticket', amountMinor: 150_000, currency: 'UZS' }],
  });
  return { invoiceId, amount: '1500.00' };
}

const statusOf = async ({ invoiceId }: ClickOrder) =>
  (await readInvoiceForBuyer(database.pool, invoiceId, { now: clock() }))?.status;
const attemptsOf = async ({ invoiceId }: ClickOrder) =>
  (await listAttempts(database.pool, invoiceId)).map(({ status }) => status);

async function pass(minutes: number): Promise<void> {
  nowMs += minutes * MINUTE_MS;
  await recoverPayments(database.pool, { clock, limit: 100 });
}

test('a Complete after the hold and the end is refused, and the money that Click took goes back', async () => {
  const order = await newOrder(10 * MINUTE_MS);
  const click = driver();
  const payment = click.newPayment();
  const { merchant_prepare_id: number } = await click.prepare(payment, order);
  await pass(31);
  await expireDueInvoices(database.pool, { now: clock(), limit: 100 });
  expect(await statusOf(order)).toBe('EXPIRED');
  books.set(payment.paydocId, 2);
  const late = await click.complete(payment, order, { prepareId: String(number) });
  expect(late.error).toBe(-9);
  await pass(1);
  expect(asked).toEqual([`GET status ${payment.paydocId}`, `DELETE reversal ${payment.paydocId}`]);
  await pass(11);
  expect(asked).toHaveLength(2);
  expect(await attemptsOf(order)).toEqual(['declined']);
});

test('a Prepare that Click never completes is given up once Click says that it failed', async () => {
  const order = await newOrder(3 * 60 * MINUTE_MS);
  const click = driver();
  const payment = click.newPayment();
  await click.prepare(payment, order);
  await pass(31);
  expect(await attemptsOf(order)).toEqual(['challenge']);
  await pass(11);
  expect(await attemptsOf(order)).toEqual(['challenge']);
  books.set(payment.paydocId, -1);
  await pass(11);
  expect(await attemptsOf(order)).toEqual(['declined']);
  // The old transaction does not block the next try.
  const next = click.newPayment();
  expect((await click.prepare(next, order)).error).toBe(0);
});

test('a Complete after the hold pays an invoice that can be paid', async () => {
  const order = await newOrder(3 * 60 * MINUTE_MS);
  const click = driver();
  const payment = click.newPayment();
  const { merchant_prepare_id: number } = await click.prepare(payment, order);
  await pass(31);
  const late = await click.complete(payment, order, { prepareId: String(number) });
  expect(late.error).toBe(0);
  expect(await statusOf(order)).toBe('PAID');
});

test('a Complete signed as a Prepare is refused, and the other way round', async () => {
  const order = await newOrder();
  const click = driver();
  const payment = click.newPayment();
  const prepared = await click.prepare(payment, order);
  const prepareId = String(prepared.merchant_prepare_id);
  // The formula of a Prepare leaves the number out; that of a Complete has it.
  const asPrepare = await click.complete(payment, order, { prepareId: '', error: '0' });
  expect(asPrepare.error).toBe(-8);
  const sign = (parts: string[]) => createHash('md5').update(parts.join('')).digest('hex');
  const parts = [payment.transId, SERVICE.serviceId, SERVICE.secretKey, order.invoiceId];
  const time = '2026-11-28 12:35:56';
  const wrong = sign([...parts, order.amount, '1', time]);
  expect((await click.complete(payment, order, { prepareId, sign_string: wrong })).error).toBe(-1);
  const other = sign([...parts, '1', order.amount, '0', '2026-11-28 12:34:56']);
  expect((await click.prepare(payment, order, { sign_string: other })).error).toBe(-1);
});

test('one service’s key opens no hook of another, and another’s invoice is not there', async () => {
  const order = await newOrder();
  const own = merchant;
  merchant = await createMerchantFixture(database.pool);
  const foreign = await connect('another key');
  merchant = own;
  const payment = driver().newPayment();
  expect((await driver(foreign).prepare(payment, order)).error).toBe(-1);
  expect((await driver(foreign, 'another key').prepare(payment, order)).error).toBe(-5);
  expect(await statusOf(order)).toBe('PENDING');
});

test('a check tells whether Click lets the account in', async () => {
  expect((await checkAccount(database.pool, account.id, clock())).checkFault).toBeNull();
  const wrong = await connect('wrong');
  expect((await checkAccount(database.pool, wrong.id, clock())).checkFault).toEqual({
    code: 'credentials_refused',
    detail: '401',
  });
});
