import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { measureClock } from '../../../db/clock-offset.ts';
import { cancelInvoice } from '../../../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import { expireDueInvoices } from '../../../invoices/expire.ts';
import type { AcquirerAccount } from '../../../merchants/acquirer-accounts.ts';
import { answerAcquirer } from '../../../testing/acquirers/answer-hook.ts';
import { PaymeDriver, type PaymeOrder } from '../../../testing/acquirers/payme.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { withOwnDataDir } from '../../../testing/settings.ts';
import { setClock } from '../../../testing/wall-clock.ts';
import { connectAccount } from '../../accounts/accounts.ts';
import { listAttempts } from '../../data.ts';
import { recoverPayments } from '../../recover.ts';

const KEY = 'test:key-with-a-colon';
const ACTOR = { type: 'operator', id: null, label: 'test' } as const;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let merchant: MerchantFixture;
let account: AcquirerAccount;
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs);

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  merchant = await createMerchantFixture(database.pool);
  account = await connect(merchant);
});
afterAll(() => database.drop());

function connect({ id: merchantId }: MerchantFixture): Promise<AcquirerAccount> {
  return connectAccount(database.pool, {
    merchantId,
    environment: 'sandbox',
    provider: 'payme',
    credentials: { merchant_id: '587f72c72cac0d162c722ae2', key: KEY },
    actor: ACTOR,
    now: clock(),
  });
}

function driverOf({ id }: AcquirerAccount, key = KEY): PaymeDriver {
  const send = async (body: string, authorization: string) => {
    const answer = await answerAcquirer(
      database.pool,
      { provider: 'payme', accountId: id },
      {
        method: 'POST',
        header: (name) => (name === 'authorization' ? authorization : null),
        body: Buffer.from(body),
      },
      clock,
    );
    expect(answer?.status).toBe(200);
    return answer?.body ?? '';
  };
  return new PaymeDriver(send, { key, clock });
}

async function newOrder(lifeMs = HOUR_MS): Promise<PaymeOrder> {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: clock(),
    endDateMs: nowMs + lifeMs,
    currency: 'UZS',
    amountMinor: 150_000,
    positions: [{ title: 'Ticket', amountMinor: 150_000, currency: 'UZS' }],
  });
  return { field: 'invoice_id', account: invoiceId, amount: 150_000 };
}

const statusOf = async ({ account: id }: PaymeOrder) =>
  (await readInvoiceForBuyer(database.pool, id, { now: clock() }))?.status;

const callbacksOf = async ({ account: id }: PaymeOrder) =>
  (await database.pool.query('SELECT body FROM callbacks WHERE invoice_id = $1', [id])).rows;

const cancel = ({ account: id }: PaymeOrder) =>
  cancelInvoice(database.pool, merchant.sandbox.tenant, id, {
    actor: { type: 'api' },
    now: clock(),
  });

test('Payme’s first scenario: what was cancelled before it was performed leaves the invoice free', async () => {
  const order = await newOrder();
  const payme = driverOf(account);
  await payme.cancelUnperformed(order);
  expect(await statusOf(order)).toBe('PENDING');
  // An old transaction does not block a new one.
  const id = await payme.cancelUnperformed(order);
  await payme.expectState(id, { state: -1 });
  expect((await cancel(order)).outcome).toBe('canceled');
});

test('Payme’s second scenario: performed once, PAID once, told once; given back by Payme’s own call', async () => {
  const order = await newOrder();
  const payme = driverOf(account);
  const id = await payme.cancelPerformed(order);
  expect(await statusOf(order)).toBe('PAID');
  const [callback, ...others] = await callbacksOf(order);
  expect(others).toEqual([]);
  expect(JSON.parse(callback.body.toString()).extra_data).toMatchObject({
    provider: 'payme',
    transaction_id: id,
    account_id: account.id,
  });
  const attempts = await listAttempts(database.pool, order.account);
  expect(attempts.map(({ status }) => status)).toEqual(['captured']);
});

test('while Payme holds an invoice it is neither cancelled nor expired; for thirty minutes', async () => {
  const order = await newOrder(5 * 60_000);
  const payme = driverOf(account);
  const { id } = await payme.begin(order);
  expect((await cancel(order)).outcome).toBe('payment_in_progress');
  nowMs += 10 * 60_000;
  await expireDueInvoices(database.pool, { now: clock(), limit: 100 });
  expect(await statusOf(order)).toBe('PENDING');
  nowMs += 20 * 60_000;
  await recoverPayments(database.pool, { clock, limit: 100 });
  await expireDueInvoices(database.pool, { now: clock(), limit: 100 });
  expect(await statusOf(order)).toBe('EXPIRED');
  expect((await payme.call('PerformTransaction', { id })).error?.code).toBe(-31008);
  await payme.callTwice('CancelTransaction', { id, reason: 3 });
  expect(await callbacksOf(order)).toHaveLength(1);
});

test('what is performed after the hold still pays an invoice that can be paid', async () => {
  const order = await newOrder(3 * HOUR_MS);
  const payme = driverOf(account);
  const { id } = await payme.begin(order);
  nowMs += 31 * 60_000;
  await recoverPayments(database.pool, { clock, limit: 100 });
  expect((await payme.callTwice('PerformTransaction', { id })).result).toMatchObject({ state: 2 });
  expect(await statusOf(order)).toBe('PAID');
});

test.each([
  [43_199_999, 2],
  [43_200_001, undefined],
])('a transaction of %s ms is performed or has timed out', async (ageMs, state) => {
  const order = await newOrder(24 * HOUR_MS);
  const payme = driverOf(account);
  const { id } = await payme.begin(order);
  nowMs += ageMs;
  const performed = await payme.call('PerformTransaction', { id });
  expect(performed.result?.state).toBe(state);
  if (state === undefined) {
    expect(performed.error?.code).toBe(-31008);
    await payme.expectState(id, { state: -1, reason: 4, perform_time: 0 });
  }
});

test('what nobody comes back to is given up by recovery after twelve hours', async () => {
  const order = await newOrder(24 * HOUR_MS);
  const payme = driverOf(account);
  const { id } = await payme.begin(order);
  for (let elapsedMs = 0; elapsedMs <= 12 * HOUR_MS; elapsedMs += 9 * 60_000) {
    nowMs += 9 * 60_000;
    await recoverPayments(database.pool, { clock, limit: 100 });
  }
  nowMs += 11 * 60_000;
  await recoverPayments(database.pool, { clock, limit: 100 });
  await payme.expectState(id, { state: -1, reason: 4 });
  const [attempt] = await listAttempts(database.pool, order.account);
  expect(attempt?.status).toBe('abandoned');
});

test('a statement has what was created, by Payme’s own time, both bounds included, ascending', async () => {
  const shop = await createMerchantFixture(database.pool);
  const mine = merchant;
  merchant = shop;
  const own = await connect(shop);
  const payme = driverOf(own);
  const fromMs = nowMs;
  const ids: string[] = [];
  for (const offsetMs of [3_000, 1_000, 2_000, 4_000]) {
    const order = await newOrder();
    const id = payme.newId();
    ids.push(id);
    const create = payme.create(id, order, fromMs + offsetMs);
    expect((await payme.call('CreateTransaction', create)).result).toMatchObject({ state: 1 });
  }
  merchant = mine;
  const bounds = { from: fromMs + 1_000, to: fromMs + 3_000 };
  const { transactions } = (await payme.call('GetStatement', bounds)).result as {
    transactions: { id: string; time: number; account: object }[];
  };
  expect(transactions.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
  expect(transactions[0]).toMatchObject({
    amount: 150_000,
    perform_time: 0,
    cancel_time: 0,
    reason: null,
    receivers: null,
  });
});

test('another kassa’s key opens nothing, and its invoices are not there', async () => {
  const other = await connect(await createMerchantFixture(database.pool));
  const order = await newOrder();
  const check = {
    amount: order.amount,
    account: { [order.field]: order.account },
  };
  const foreign = await driverOf(other).call('CheckPerformTransaction', check);
  expect(foreign.error?.code).toBe(-31050);
  expect(
    (await driverOf(account).call('CheckPerformTransaction', check, `${KEY}x`)).error?.code,
  ).toBe(-32504);
  const { id } = await driverOf(account).begin(order);
  expect((await driverOf(other).call('CheckTransaction', { id })).error?.code).toBe(-31003);
});

test('what is no call, or about nothing, is refused in Payme’s protocol', async () => {
  await driverOf(account).expectRefusals();
});

test('both fiscal receipts are kept apart', async () => {
  const order = await newOrder();
  const payme = driverOf(account);
  const id = await payme.perform(order);
  for (const type of ['PERFORM', 'CANCEL']) {
    const told = { id, type, fiscal_data: { receipt_id: type, status_code: 0 } };
    expect((await payme.call('SetFiscalData', told)).result).toEqual({ success: true });
  }
  const { rows } = await database.pool.query(
    'SELECT details FROM acquirer_transactions WHERE acquirer_id = $1',
    [id],
  );
  expect(JSON.parse(rows[0].details)).toMatchObject({
    fiscal_perform: { receipt_id: 'PERFORM' },
    fiscal_cancel: { receipt_id: 'CANCEL' },
  });
});

test('a transaction whose hold has ended keeps no other from the invoice, and comes too late after it', async () => {
  const order = await newOrder(3 * HOUR_MS);
  const payme = driverOf(account);
  const { id: left } = await payme.begin(order);
  nowMs += 31 * 60_000;
  await recoverPayments(database.pool, { clock, limit: 100 });
  const paid = await payme.perform(order);
  expect((await payme.call('PerformTransaction', { id: left })).error?.code).toBe(-31008);
  await payme.callTwice('CancelTransaction', { id: left, reason: 4 });
  await payme.expectState(paid, { state: 2 });
  expect(await statusOf(order)).toBe('PAID');
  expect(await callbacksOf(order)).toHaveLength(1);
});

test('of fifty transactions at once for one invoice one holds it', async () => {
  const order = await newOrder();
  const payme = driverOf(account);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      payme.call('CreateTransaction', payme.create(payme.newId(), order)),
    ),
  );
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
  const refused = answers.flatMap(({ error }) => (error ? [error.code] : []));
  expect(new Set(refused)).toEqual(new Set([-31008]));
});

test('fifty repeats of a call at once have one effect, and answers alike to the byte', async () => {
  const order = await newOrder();
  await driverOf(account).repeatAll(order);
  expect(await statusOf(order)).toBe('PAID');
  expect(await callbacksOf(order)).toHaveLength(1);
  expect(await listAttempts(database.pool, order.account)).toHaveLength(1);
});

test('of two hundred calls at once for different invoices none is lost', async () => {
  const payme = driverOf(account);
  const orders = await Promise.all(Array.from({ length: 200 }, () => newOrder()));
  await payme.performAll(orders);
  const statuses = await Promise.all(orders.map(statusOf));
  expect(new Set(statuses)).toEqual(new Set(['PAID']));
});

test('a web whose clock is wrong takes no call: Payme comes again', async () => {
  const order = await newOrder();
  const payme = driverOf(account);
  setClock(60 * 60_000);
  await measureClock(database.pool);
  try {
    const create = payme.create(payme.newId(), order);
    await expect(payme.call('CreateTransaction', create)).rejects.toMatchObject({
      code: 'payment_not_begun',
    });
  } finally {
    vi.restoreAllMocks();
    await measureClock(database.pool);
  }
  await payme.begin(order);
});
