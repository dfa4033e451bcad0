import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../../../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import type { AcquirerAccount } from '../../../merchants/acquirer-accounts.ts';
import { MulticardStandIn } from '../../../testing/acquirers/multicard.ts';
import { connectMulticard } from '../../../testing/acquirers/multicard-account.ts';
import { MULTICARD_LIVES } from '../../../testing/acquirers/multicard-life.ts';
import { serveHooks } from '../../../testing/acquirers/serve-hooks.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { forgetSettings, withOwnDataDir } from '../../../testing/settings.ts';
import { changeAccount, checkAccount } from '../../accounts/accounts.ts';
import { compareAccount } from '../../books/run.ts';
import { listAttempts } from '../../data.ts';
import { recoverPayments } from '../../recover.ts';
import { startPayment } from '../../start.ts';
import { callbackSignature } from './multicard.ts';

const ACTOR = { type: 'operator', id: null, label: 'test' } as const;
const SECRET = 'sec';

let database: TestDatabase;
let merchant: MerchantFixture;
let account: AcquirerAccount;
let bank: MulticardStandIn;
let hooks: Awaited<ReturnType<typeof serveHooks>>;
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs);

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  bank = new MulticardStandIn(SECRET);
  vi.stubEnv('MULTICARD_API_URL', await bank.listen());
  hooks = await serveHooks(database.pool, clock);
  vi.stubEnv('PUBLIC_URL', hooks.origin);
  forgetSettings();
  merchant = await createMerchantFixture(database.pool);
  account = await connect(SECRET);
});
afterAll(async () => {
  await hooks.close();
  await bank.close();
  await database.drop();
});
beforeEach(() => {
  bank.faults.clear();
  bank.paidAmount = null;
});

const connect = (secret: string) =>
  connectMulticard(database.pool, { merchantId: merchant.id, secret }, clock());

function newInvoice(): Promise<string> {
  return createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: clock(),
    endDateMs: nowMs + 3_600_000,
    currency: 'UZS',
    amountMinor: 150_000,
    positions: [{ title: 'Ticket', amountMinor: 150_000, currency: 'UZS' }],
  });
}

const start = (invoiceId: string) =>
  startPayment(
    database.pool,
    { invoiceId, accountId: account.id },
    { locale: 'uz', clock, actor: { type: 'buyer' } },
  );

async function started(invoiceId: string): Promise<string> {
  const outcome = await start(invoiceId);
  if (outcome.outcome !== 'elsewhere') throw new Error(outcome.outcome);
  return outcome.url.split('/').at(-1) ?? '';
}

const statusOf = async (invoiceId: string) =>
  (await readInvoiceForBuyer(database.pool, invoiceId, { now: clock() }))?.status;
const attemptsOf = async (invoiceId: string) =>
  (await listAttempts(database.pool, invoiceId)).map(({ status }) => status);
const recover = () => recoverPayments(database.pool, { clock, limit: 100 });

async function callbacksOf(invoiceId: string): Promise<Record<string, unknown>[]> {
  const text = 'SELECT body FROM callbacks WHERE invoice_id = $1';
  const { rows } = await database.pool.query<{ body: Buffer }>(text, [invoiceId]);
  return rows.map(({ body }) => JSON.parse(body.toString()));
}

test.each(Object.entries(MULTICARD_LIVES))('%s', async (_, live) => {
  const invoices: string[] = [];
  await live(bank, {
    newInvoice: async () => {
      invoices.push(await newInvoice());
      return invoices.at(-1) ?? '';
    },
    start: started,
    statusOf,
    cancel: async (invoiceId) => {
      const context = { actor: { type: 'api' }, now: clock() } as const;
      await cancelInvoice(database.pool, merchant.sandbox.tenant, invoiceId, context);
    },
  });
  for (const invoiceId of invoices) {
    const isOpen = (await statusOf(invoiceId)) === 'PENDING';
    expect(await callbacksOf(invoiceId)).toHaveLength(isOpen ? 0 : 1);
  }
});

test('the merchant is told of the payment there, once', async () => {
  const invoiceId = await newInvoice();
  const uuid = await started(invoiceId);
  await Promise.all([bank.pay(uuid), recover(), bank.pay(uuid)]);
  expect(await attemptsOf(invoiceId)).toEqual(['captured']);
  const [told, ...others] = await callbacksOf(invoiceId);
  expect(others).toEqual([]);
  expect(told?.extra_data).toMatchObject({
    provider: 'multicard',
    transaction_id: uuid,
    account_id: account.id,
  });
});

test('what another merchant’s account is told of an invoice settles nothing', async () => {
  const invoiceId = await newInvoice();
  const uuid = await started(invoiceId);
  const own = merchant;
  merchant = await createMerchantFixture(database.pool);
  const foreign = await connect('another secret');
  merchant = own;
  const entry = bank.invoices.get(uuid);
  if (!entry) throw new Error('there is no such page');
  const hook = entry.callback_url;
  entry.callback_url = hook.replace(account.id, foreign.id);
  expect(entry.callback_url).not.toBe(hook);
  await bank.pay(uuid);
  expect(bank.answers.at(-1)?.status).toBe(403);
  const values = { storeId: '6', invoiceId, amount: '150000' };
  await bank.callBack(uuid, { sign: callbackSignature(values, 'another secret') });
  expect(bank.answers.at(-1)?.status).toBe(500);
  expect(await statusOf(invoiceId)).toBe('PENDING');
});

test('without any callback the payment is found by asking', async () => {
  const invoiceId = await newInvoice();
  const uuid = await started(invoiceId);
  const entry = bank.invoices.get(uuid);
  if (entry) {
    entry.payment = { uuid, status: 'success', payment_amount: 150_000, total_amount: 150_000 };
  }
  nowMs += 11_000;
  await recover();
  expect(await statusOf(invoiceId)).toBe('PAID');
});

test('a lost answer to a create shows no page, and a later press makes one', async () => {
  const invoiceId = await newInvoice();
  bank.faults.set('POST /payment/invoice', ['cut after']);
  expect(await start(invoiceId)).toEqual({ outcome: 'unknown' });
  expect(await start(invoiceId)).toEqual({ outcome: 'in_progress' });
  nowMs += 16_000;
  await recover();
  const uuid = await started(invoiceId);
  expect(await bank.pay(uuid)).toBe('success');
  expect(await attemptsOf(invoiceId)).toEqual(['captured', 'failed']);
});

test('a refused create began nothing: another method may be taken at once', async () => {
  const invoiceId = await newInvoice();
  const other = await connect('wrong');
  const options = { locale: 'en', clock, actor: { type: 'buyer' } } as const;
  await changeAccount(database.pool, account.id, 'disable', { actor: ACTOR, now: clock() });
  const refused = await startPayment(database.pool, { invoiceId, accountId: other.id }, options);
  await changeAccount(database.pool, account.id, 'enable', { actor: ACTOR, now: clock() });
  expect(refused).toEqual({ outcome: 'refused' });
  expect((await checkAccount(database.pool, other.id, clock())).checkFault).toEqual({
    code: 'credentials_refused',
    detail: 'ERROR_FIELDS',
  });
  expect((await checkAccount(database.pool, account.id, clock())).checkFault).toBeNull();
  const uuid = await started(invoiceId);
  expect(await bank.pay(uuid)).toBe('success');
});

test('a check whose question gets no proper answer says which one it got', async () => {
  bank.faults.set('POST /auth', ['500']);
  expect((await checkAccount(database.pool, account.id, clock())).checkFault).toEqual({
    code: 'unexpected_answer',
    detail: '500',
  });
});

test('a page that nobody paid at is withdrawn in its time', async () => {
  const invoiceId = await newInvoice();
  const uuid = await started(invoiceId);
  for (const minutes of [1, 5, 10, 10, 10]) {
    nowMs += minutes * 60_000;
    await recover();
  }
  expect(bank.invoices.get(uuid)?.isWithdrawn).toBe(true);
  expect(await attemptsOf(invoiceId)).toEqual(['abandoned']);
});

test('an account that is switched off begins nothing, and ends what is under way', async () => {
  const invoiceId = await newInvoice();
  const uuid = await started(invoiceId);
  await changeAccount(database.pool, account.id, 'disable', { actor: ACTOR, now: clock() });
  expect(await start(await newInvoice())).toEqual({ outcome: 'unavailable' });
  expect(await bank.pay(uuid)).toBe('success');
  await changeAccount(database.pool, account.id, 'enable', { actor: ACTOR, now: clock() });
});

test('its books are read by asking about each payment', async () => {
  nowMs += 1_000;
  const fromMs = nowMs;
  const [paid, given, left] = [await newInvoice(), await newInvoice(), await newInvoice()];
  const part = await newInvoice();
  for (const each of [paid, given, part]) {
    expect(await bank.pay(await started(each))).toBe('success');
  }
  await started(left);
  await database.pool.query(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
       amount_minor, currency, status, created_at, updated_at)
     SELECT 'ref_1', i.merchant_id, i.environment, i.id, p.id, p.account_id, 50000, 'UZS', 'SUCCEEDED',
            p.created_at, p.created_at
     FROM payment_attempts p JOIN invoices i ON i.id = p.invoice_id WHERE i.id = $1`,
    [part],
  );
  const rest = bank.of(part)[0]?.payment;
  if (rest) rest.payment_amount = 100_000;
  const [there] = bank.of(given);
  if (there?.payment) there.payment.status = 'revert';
  nowMs += 3_600_000;
  const span = { fromMs, toMs: nowMs };
  expect(await compareAccount(database.pool, account.id, span, clock())).toMatchObject({
    payments: 3,
    found: [{ kind: 'payment', what: 'state', invoiceId: given, theirs: { state: 'ended' } }],
  });
});

test('the signature is that of the vector', () => {
  const call = { storeId: '6', invoiceId: 'inv_01', amount: '150000' };
  expect(callbackSignature(call, 'sec')).toBe('528b3b5c4e505cbf73a1d95bdf00a2c0');
});
