import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MulticardStandIn } from '../../testing/acquirers/multicard.ts';
import { connectMulticard } from '../../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { forgetSettings, withOwnDataDir } from '../../testing/settings.ts';
import { listAttempts } from '../data.ts';
import { startPayment } from '../start.ts';
import { connectAccount } from './accounts.ts';

const SECRET = 'sec';
let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const clock = () => new Date(nowMs++);

let database: TestDatabase;
let bank: MulticardStandIn;
let merchant: MerchantFixture;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(4);
  bank = new MulticardStandIn(SECRET);
  vi.stubEnv('MULTICARD_API_URL', await bank.listen());
  forgetSettings();
});
afterAll(async () => {
  await bank.close();
  await database.drop();
});
beforeEach(async () => {
  bank.faults.clear();
  merchant = await createMerchantFixture(database.pool);
});

/** An account there; the acquirer refuses what comes with another secret than its own. */
const connect = async (name: string, secret = SECRET) =>
  (await connectMulticard(database.pool, { merchantId: merchant.id, secret, name }, clock())).id;

const newInvoice = () =>
  createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: clock(),
    endDateMs: nowMs + 3_600_000,
    currency: 'UZS',
    amountMinor: 150_000,
    positions: [{ title: 'Ticket', amountMinor: 150_000, currency: 'UZS' }],
  });

const start = (invoiceId: string, accountId: string) =>
  startPayment(
    database.pool,
    { invoiceId, accountId },
    { locale: 'en', clock, actor: { type: 'buyer' } },
  );

/** The attempts of an invoice, the newest first, each as its account and status. */
const attempts = async (invoiceId: string) =>
  (await listAttempts(database.pool, invoiceId)).map(({ accountId, status }) => [
    accountId,
    status,
  ]);

test('where the chosen account began nothing, the next at the same acquirer takes over by its own attempt', async () => {
  const [first, second] = [await connect('A', 'wrong'), await connect('B')];
  const invoiceId = await newInvoice();
  expect(await start(invoiceId, first)).toMatchObject({ outcome: 'elsewhere' });
  expect(await attempts(invoiceId)).toEqual([
    [second, 'challenge'],
    [first, 'failed'],
  ]);
  expect(bank.of(invoiceId)).toHaveLength(1);
});

test('a second press leads to the page of the account that took over', async () => {
  const [first, second] = [await connect('A', 'wrong'), await connect('B')];
  const invoiceId = await newInvoice();
  const led = await start(invoiceId, first);
  nowMs += 60_000;
  expect(await start(invoiceId, first)).toEqual(led);
  expect(await start(invoiceId, second)).toEqual(led);
  expect(await attempts(invoiceId)).toHaveLength(2);
});

test('an acquirer that gives no token has begun nothing', async () => {
  const [first, second] = [await connect('A'), await connect('B')];
  const invoiceId = await newInvoice();
  bank.faults.set('POST /auth', ['500']);
  expect(await start(invoiceId, first)).toMatchObject({ outcome: 'elsewhere' });
  expect(await attempts(invoiceId)).toEqual([
    [second, 'challenge'],
    [first, 'failed'],
  ]);
});

test('after an unknown result no other account is tried', async () => {
  const first = await connect('A');
  await connect('B');
  const invoiceId = await newInvoice();
  bank.faults.set('POST /payment/invoice', ['cut after']);
  expect(await start(invoiceId, first)).toEqual({ outcome: 'unknown' });
  expect(await attempts(invoiceId)).toEqual([[first, 'authorising']]);
  expect(bank.of(invoiceId)).toHaveLength(1);
});

test('where no account of the acquirer begins anything, the buyer chooses again, and no other acquirer is taken', async () => {
  const [first, second] = [await connect('A', 'wrong'), await connect('B', 'wrong')];
  await connectAccount(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    provider: 'click',
    credentials: { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: 'k' },
    actor: { type: 'operator', id: null, label: 'test' },
    now: clock(),
  });
  const invoiceId = await newInvoice();
  expect(await start(invoiceId, second)).toEqual({ outcome: 'refused' });
  expect(await attempts(invoiceId)).toEqual([
    [first, 'failed'],
    [second, 'failed'],
  ]);
});

test('an account that hangs has 20 calls in flight, and slows neither another account nor a create', async () => {
  const [slow, other] = [await connect('A'), await connect('B')];
  // The token is there before, so that the calls meet their fault.
  await start(await newInvoice(), slow);
  bank.faults.set(
    'POST /payment/invoice',
    Array.from({ length: 20 }, () => 'slow' as const),
  );
  let ended = 0;
  const starts: Promise<unknown>[] = [];
  for (let each = 0; each < 25; each++) {
    starts.push(start(await newInvoice(), slow).finally(() => ended++));
  }
  await expect.poll(() => bank.waiting.length).toBe(20);
  expect(await start(await newInvoice(), other)).toMatchObject({ outcome: 'elsewhere' });
  expect(ended).toBe(0);
  expect(bank.waiting).toHaveLength(20);
  for (const goOn of bank.waiting.splice(0)) goOn();
  for (const outcome of await Promise.all(starts))
    expect(outcome).toMatchObject({ outcome: 'elsewhere' });
});
