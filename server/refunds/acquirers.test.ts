import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { connectAccount } from '../payments/accounts/accounts.ts';
import { isReversible } from '../payments/providers/click/refunds.ts';
import { startPayment } from '../payments/start.ts';
import { answerAcquirer } from '../testing/acquirers/answer-hook.ts';
import { ClickDriver, type ClickOrder, type ClickPayment } from '../testing/acquirers/click.ts';
import { MulticardStandIn } from '../testing/acquirers/multicard.ts';
import { connectMulticard } from '../testing/acquirers/multicard-account.ts';
import { PaymeCalls } from '../testing/acquirers/payme-calls.ts';
import { serveHooks } from '../testing/acquirers/serve-hooks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { forgetSettings, withOwnDataDir } from '../testing/settings.ts';
import { findRefund, listRefunds } from './data.ts';
import { recoverRefunds } from './recover.ts';
import { requestRefund } from './refund.ts';
import type { Refund } from './types.ts';

const SERVICE = { serviceId: '12345', secretKey: 'secret_key_123' };
const KEY = 'TEST_KEY_36_CHARS_xxxxxxxxxxxxxxxxxx';
const AMOUNT = 150_000;

let database: TestDatabase;
let tenant: Tenant;
let bank: MulticardStandIn;
let hooks: Awaited<ReturnType<typeof serveHooks>>;
let accounts: { payme: string; click: string; multicard: string };
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs);

/** Click's Merchant API: statuses by payment number, what it refuses, and what it was asked. */
const statuses = new Map<string, number>();
let refusal: { error_code: number; error_note: string } | null = null;
let isCut = false;
let asked: string[] = [];
const clickApi = createServer((request, response) => {
  const [, operation = '', number = ''] =
    /\/payment\/(\w+)\/12345\/(\d+)$/.exec(request.url ?? '') ?? [];
  asked.push(operation);
  if (operation === 'reversal' && !refusal) statuses.set(number, -99);
  if (operation === 'reversal' && isCut) return void request.socket.destroy();
  const said = operation === 'reversal' ? refusal : null;
  response.writeHead(200, { 'content-type': 'application/json' });
  const payment_status = statuses.get(number) ?? 0;
  response.end(JSON.stringify(said ?? { error_code: 0, payment_id: number, payment_status }));
});

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(10);
  bank = new MulticardStandIn('sec');
  vi.stubEnv('MULTICARD_API_URL', await bank.listen());
  await new Promise<void>((resolve) => clickApi.listen(0, '127.0.0.1', resolve));
  const { port } = clickApi.address() as { port: number };
  vi.stubEnv('CLICK_API_URL', `http://127.0.0.1:${port}`);
  hooks = await serveHooks(database.pool, clock);
  vi.stubEnv('PUBLIC_URL', hooks.origin);
  forgetSettings();
  const merchant = await createMerchantFixture(database.pool);
  ({ tenant } = merchant.sandbox);
  const connect = async (provider: string, credentials: Record<string, string>) => {
    const actor = { type: 'operator', id: null, label: 'test' } as const;
    const account = { ...tenant, provider, credentials, actor, now: clock() };
    return (await connectAccount(database.pool, account)).id;
  };
  accounts = {
    payme: await connect('payme', { merchant_id: '587f72c72cac0d162c722ae2', key: KEY }),
    click: await connect('click', {
      merchant_id: '777',
      service_id: SERVICE.serviceId,
      merchant_user_id: '42',
      secret_key: SERVICE.secretKey,
    }),
    multicard: (
      await connectMulticard(database.pool, { merchantId: merchant.id, secret: 'sec' }, clock())
    ).id,
  };
});
beforeEach(() => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  refusal = null;
  isCut = false;
  asked = [];
  bank.faults.clear();
  bank.counts.clear();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await hooks.close();
  await bank.close();
  clickApi.closeAllConnections();
  clickApi.close();
  await database.drop();
});

const newInvoice = () =>
  createTestInvoice(database.pool, tenant, {
    now: clock(),
    endDateMs: nowMs + 3_600_000,
    currency: 'UZS',
    amountMinor: AMOUNT,
    positions: [{ title: 'Ticket', amountMinor: AMOUNT, currency: 'UZS' }],
  });

const begin = (invoiceId: string, amountMinor: bigint | null = null) =>
  requestRefund(
    database.pool,
    tenant,
    { invoiceId, refundTransactionId: randomUUID(), amountMinor, reason: null },
    { actor: { type: 'api' }, audit: null, key: null, clock },
  );

async function refund(...args: Parameters<typeof begin>): Promise<Refund> {
  const begun = await begin(...args);
  if (!('refund' in begun)) throw new Error('it was refused');
  return begun.refund;
}

async function refusedBecause(...args: Parameters<typeof begin>): Promise<string> {
  const begun = await begin(...args);
  return 'refusal' in begun ? begun.refusal.message : 'it was not refused';
}

async function recoverAfter(ms: number): Promise<void> {
  nowMs += ms;
  await recoverRefunds(database.pool, { clock, limit: 100 });
}

const reread = async ({ id }: Refund) => await findRefund(database.pool, id);
const refundsOf = async (invoiceId: string) =>
  (await listRefunds(database.pool, tenant, invoiceId))?.refunds ?? [];

/** Pays an invoice at Multicard; returns it and its payment there. */
async function paidAtMulticard(): Promise<{ invoiceId: string; uuid: string }> {
  const invoiceId = await newInvoice();
  const where = { invoiceId, accountId: accounts.multicard };
  const by = { locale: 'uz', clock, actor: { type: 'buyer' } } as const;
  const outcome = await startPayment(database.pool, where, by);
  if (outcome.outcome !== 'elsewhere') throw new Error(outcome.outcome);
  const uuid = outcome.url.split('/').at(-1) ?? '';
  expect(await bank.pay(uuid)).toBe('success');
  return { invoiceId, uuid };
}

test('Multicard gives parts back, each with a receipt for the rest, and the rest as a whole', async () => {
  const { invoiceId, uuid } = await paidAtMulticard();
  for (const part of [40_000n, 60_000n, null]) {
    expect(await refund(invoiceId, part)).toMatchObject({ status: 'SUCCEEDED', reference: null });
  }
  expect(bank.returned.get(uuid)).toEqual([40_000, 60_000, 50_000]);
  expect(bank.invoices.get(uuid)?.payment?.status).toBe('revert');
});

test('two parts at once at Multicard go one after the other', async () => {
  const { invoiceId, uuid } = await paidAtMulticard();
  bank.faults.set('DELETE /payment/partial', ['slow']);
  const [first, second] = [refund(invoiceId, 10_000n), refund(invoiceId, 20_000n)];
  await expect.poll(() => bank.waiting.length).toBe(1);
  const both = await Promise.race([first, second]);
  expect(both.status).toBe('PENDING');
  bank.waiting.shift()?.();
  await Promise.all([first, second]);
  await recoverAfter(11_000);
  expect((await refundsOf(invoiceId)).map(({ status }) => status)).toEqual([
    'SUCCEEDED',
    'SUCCEEDED',
  ]);
  expect(bank.returned.get(uuid)?.toSorted()).toEqual([10_000, 20_000]);
});

test.each(['cut before', 'cut after', '500'] as const)(
  'a part and a whole at Multicard go back once when the call is met by "%s"',
  async (fault) => {
    for (const [part, operation, sum] of [
      [30_000n, 'DELETE /payment/partial', 30_000],
      [null, 'DELETE /payment', AMOUNT],
    ] as const) {
      const { invoiceId, uuid } = await paidAtMulticard();
      bank.faults.set(operation, [fault]);
      const open = await refund(invoiceId, part);
      expect(open.status).toBe('PENDING');
      await recoverAfter(10_000);
      expect((await reread(open))?.status).toBe('SUCCEEDED');
      expect(bank.returned.get(uuid)).toEqual([sum]);
    }
  },
);

test('a part of which Multicard cannot say whether it went back is not asked for again', async () => {
  const { invoiceId, uuid } = await paidAtMulticard();
  bank.faults.set('DELETE /payment/partial', ['cut after']);
  const open = await refund(invoiceId, 30_000n);
  const payment = bank.invoices.get(uuid)?.payment;
  if (payment) payment.payment_amount = AMOUNT;
  for (let minutes = 0; minutes < 30; minutes += 1) await recoverAfter(60_000);
  expect((await reread(open))?.status).toBe('PENDING');
  expect(bank.returned.get(uuid)).toEqual([30_000]);
});

const clickDriver = () =>
  new ClickDriver(async (body) => {
    const request = { method: 'POST', header: () => null, body: Buffer.from(body) };
    const where = { provider: 'click', accountId: accounts.click };
    return (await answerAcquirer(database.pool, where, request, clock))?.body ?? '';
  }, SERVICE);

async function paidAtClick() {
  const order: ClickOrder = { invoiceId: await newInvoice(), amount: '1500.00' };
  const click = clickDriver();
  const payment: ClickPayment = click.newPayment();
  const { merchant_prepare_id: number } = await click.prepare(payment, order);
  const prepareId = String(number);
  expect((await click.complete(payment, order, { prepareId })).error).toBe(0);
  statuses.set(payment.paydocId, 2);
  const giveUp = () => click.complete(payment, order, { prepareId, error: '-5017' });
  return { ...order, payment, giveUp };
}

test('Click gives the whole back, and says so of a part', async () => {
  const { invoiceId, payment, giveUp } = await paidAtClick();
  const refused = 'This payment can be refunded only as a whole: Click';
  expect(await refusedBecause(invoiceId, 1n)).toBe(refused);
  expect(await refund(invoiceId)).toMatchObject({
    status: 'SUCCEEDED',
    reference: payment.paydocId,
  });
  expect(asked).toEqual(['reversal']);
  // What Click then says of the payment is no second refund.
  expect((await giveUp()).error).toBe(-9);
  expect(await refundsOf(invoiceId)).toHaveLength(1);
});

test('a lost answer of Click’s is asked for, and the payment reversed once', async () => {
  const { invoiceId } = await paidAtClick();
  isCut = true;
  const open = await refund(invoiceId);
  expect(open.status).toBe('PENDING');
  await recoverAfter(10_000);
  expect((await reread(open))?.status).toBe('SUCCEEDED');
  expect(asked).toEqual(['reversal', 'status']);
});

test('a reversal that Click refuses has failed by its words, and may be asked for again', async () => {
  const { invoiceId } = await paidAtClick();
  refusal = { error_code: -31, error_note: 'UZCARD refuses' };
  expect(await refund(invoiceId)).toMatchObject({
    status: 'FAILED',
    failureReason: 'UZCARD refuses (-31)',
  });
  refusal = null;
  expect((await refund(invoiceId)).status).toBe('SUCCEEDED');
});

test('after the first of the next month Click is not asked for a reversal', async () => {
  const { invoiceId } = await paidAtClick();
  nowMs = Date.parse('2026-12-01T19:00:00.000Z');
  const { status, failureReason } = await refund(invoiceId);
  expect([status, asked]).toEqual(['FAILED', []]);
  expect(failureReason).toContain('within its month');
});

test.each([
  ['2026-11-01T00:00:00+05:00', '2026-11-30T23:59:59+05:00', true],
  ['2026-11-30T23:59:59+05:00', '2026-12-01T23:59:59+05:00', true],
  ['2026-11-30T23:59:59+05:00', '2026-12-02T00:00:00+05:00', false],
  ['2026-12-31T12:00:00+05:00', '2027-01-01T12:00:00+05:00', true],
  ['2026-10-31T12:00:00+05:00', '2026-12-01T12:00:00+05:00', false],
])('of a payment of %s a reversal at %s is possible: %s', (paidAt, at, isPossible) => {
  expect(isReversible(Date.parse(paidAt), Date.parse(at))).toBe(isPossible);
});

test('a completed payment that Click gives up is a refund once its status says so, and else an alarm', async () => {
  const { invoiceId, payment, giveUp } = await paidAtClick();
  expect((await giveUp()).error).toBe(-9);
  expect(await refundsOf(invoiceId)).toEqual([]);
  expect(log().error).toHaveBeenCalled();
  statuses.set(payment.paydocId, -99);
  for (let time = 0; time < 3; time++) expect((await giveUp()).error).toBe(-9);
  expect(await refundsOf(invoiceId)).toMatchObject([
    {
      refundTransactionId: null,
      amountMinor: BigInt(AMOUNT),
      status: 'SUCCEEDED',
      reason: 'Complete, error -5017',
      reference: payment.paydocId,
    },
  ]);
});

test('Payme refunds in its cabinet only: its CancelTransaction is a refund here, told as often as it likes', async () => {
  const payme = new PaymeCalls(
    async (body, authorization) => {
      const header = () => authorization;
      const request = { method: 'POST', header, body: Buffer.from(body) };
      const where = { provider: 'payme', accountId: accounts.payme };
      return (await answerAcquirer(database.pool, where, request, clock))?.body ?? '';
    },
    { key: KEY, clock },
  );
  const invoiceId = await newInvoice();
  const order = { field: 'invoice_id', account: invoiceId, amount: AMOUNT };
  const id = payme.newId();
  await payme.call('CreateTransaction', payme.create(id, order));
  await payme.call('PerformTransaction', { id });
  const outside = 'This payment can be refunded only at the acquirer: Payme';
  expect(await refusedBecause(invoiceId)).toBe(outside);
  const cancel = () => payme.call('CancelTransaction', { id, reason: 5 });
  const answers = await Promise.all([cancel(), cancel(), cancel()]);
  answers.push(await cancel());
  for (const { result } of answers) expect(result).toEqual(answers[0]?.result);
  expect(answers[0]?.result).toMatchObject({ state: -2 });
  expect(await refundsOf(invoiceId)).toMatchObject([
    {
      refundTransactionId: null,
      amountMinor: BigInt(AMOUNT),
      status: 'SUCCEEDED',
      reason: 'CancelTransaction, reason 5',
      reference: id,
    },
  ]);
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [
    invoiceId,
  ]);
  expect(rows).toEqual([{ status: 'PAID' }]);
});
