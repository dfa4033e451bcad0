import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireDueInvoices } from '../invoices/expire.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith, ledgerOf, RETURN_URL } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { claimCapture, openAttempt } from './mutations.ts';
import { recoverPayments } from './recover.ts';
import { SandboxAcquirer } from './sandbox.ts';
import { testCardFor } from './test-cards.ts';

// The statement of the operator's guide for payments that a restored database knows nothing of.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const RESTORED = new Date('2026-11-22T12:00:00.000Z');
const CARD = { cardBrand: 'visa', cardLast4: '4242' } as const;

const GUIDE = readFileSync('public/operating/operating.md', 'utf8');
const [, STATEMENT = ''] = /^```sql\n(WITH paid AS [^`]+)^```$/m.exec(GUIDE) ?? [];
const [, TAKE_BACK = ''] = /^```sql\n(WITH released AS [^`]+)^```$/m.exec(GUIDE) ?? [];

let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

/** What the acquirer knows of an attempt that it approved. */
async function authorise(attempt: string): Promise<string> {
  const request = { idempotencyKey: attempt, amountMinor: 1500n, currency: 'USD' } as const;
  const card = cardWith(testCardFor('approved').number);
  const answer = await new SandboxAcquirer(database.pool).authorise(
    { ...request, card, returnUrl: RETURN_URL },
    NOW,
  );
  if (answer.state !== 'approved') throw new Error(answer.state);
  return answer.authorisationId;
}

/** A payment that the acquirer has taken, and of which the gateway has the invoice alone. */
async function lostPayment() {
  const { pool } = database;
  const invoice = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
  const attempt = newId('pay', NOW.getTime());
  const authorisation = await authorise(attempt);
  await new SandboxAcquirer(pool).capture(authorisation, NOW);
  return { invoice, attempt, authorisation };
}

type Payment = Awaited<ReturnType<typeof lostPayment>>;

/** As psql runs it, with its variables. */
async function run(statement: string, payment: Payment): Promise<number | null> {
  const variables = new Map(
    Object.entries({ ...payment, provider: 'sandbox', brand: 'visa', last4: '4242' }),
  );
  const text = statement.replaceAll(/:'(\w+)'/g, (_, name) => `'${variables.get(name)}'`);
  return (await database.pool.query(text)).rowCount;
}

const enter = (payment: Payment) => run(STATEMENT, payment);
const takeBack = (payment: Payment) => run(TAKE_BACK, payment);

/** The jobs of a worker that has just started; the end first, which is what was to be feared. */
async function startWorker(): Promise<void> {
  const { pool } = database;
  await expireDueInvoices(pool, { now: RESTORED, limit: 100 });
  // The statement speaks of the present.
  await recoverPayments(pool, { clock: () => new Date(), limit: 100 });
}

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [id]);
  return rows[0]?.status;
}

test('a payment of the lost span that was entered is PAID, after the end and with no second capture', async () => {
  const payment = await lostPayment();
  expect(await enter(payment)).toBe(1);
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('PAID');
  expect(await ledgerOf(database.pool, payment.invoice)).toEqual(['authorisation', 'capture']);
  expect(await booksDisagree(database.pool)).toEqual([]);
});

test('one whose attempt was open in the backup is PAID as well, and entering it twice does nothing', async () => {
  const payment = await lostPayment();
  const { attempt: id, invoice: invoiceId } = payment;
  await openAttempt(database.pool, { id, invoiceId, provider: 'sandbox', ...CARD }, NOW);
  expect(await enter(payment)).toBe(1);
  expect(await enter(payment)).toBe(0);
  await startWorker();
  expect(await statusOf(invoiceId)).toBe('PAID');
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'capture']);
});

test.each([
  ['authorising', false],
  ['capturing', true],
])(
  'one is PAID where the backup caught another attempt %s, which is voided',
  async (status, isClaimed) => {
    const { pool } = database;
    const payment = await lostPayment();
    const { invoice: invoiceId } = payment;
    const id = newId('pay', NOW.getTime());
    await openAttempt(pool, { id, invoiceId, provider: 'sandbox', ...CARD }, NOW);
    const authorisation = await authorise(id);
    if (isClaimed) await claimCapture(pool, id, authorisation, NOW);
    expect((await findAttempt(pool, id))?.status).toBe(status);
    expect(await enter(payment)).toBe(1);
    expect(await enter(payment)).toBe(0);
    await startWorker();
    expect(await statusOf(invoiceId)).toBe('PAID');
    expect((await findAttempt(pool, id))?.status).toBe('failed');
    expect(await ledgerOf(pool, invoiceId)).toEqual([
      'authorisation',
      'capture',
      'authorisation',
      'void',
    ]);
    expect(await booksDisagree(pool)).toEqual([]);
  },
);

test('a payment that was entered is given up for no other, and claimed by no other invoice', async () => {
  const first = await lostPayment();
  const second = await lostPayment();
  expect(await enter(first)).toBe(1);
  expect(await enter({ ...second, invoice: first.invoice })).toBe(0);
  expect(await enter({ ...first, invoice: second.invoice })).toBe(0);
  expect(await enter(second)).toBe(1);
  await startWorker();
  for (const { invoice } of [first, second]) {
    expect(await statusOf(invoice)).toBe('PAID');
    expect(await ledgerOf(database.pool, invoice)).toEqual(['authorisation', 'capture']);
  }
});

test('nor is one that the backup held open, once it is entered', async () => {
  const first = await lostPayment();
  const { attempt: id, invoice: invoiceId } = first;
  await openAttempt(database.pool, { id, invoiceId, provider: 'sandbox', ...CARD }, NOW);
  expect(await enter(first)).toBe(1);
  expect(await enter({ ...(await lostPayment()), invoice: invoiceId })).toBe(0);
  await startWorker();
  expect(await statusOf(invoiceId)).toBe('PAID');
});

test.each([
  ['attempt', { attempt: newId('pay', NOW.getTime()) }],
  ['authorisation', { authorisation: 'sbx_wrong' }],
])('one that was entered with a wrong %s is taken back and entered anew', async (_what, wrong) => {
  const payment = await lostPayment();
  const mistaken = { ...payment, ...wrong };
  expect(await enter(mistaken)).toBe(1);
  expect(await takeBack(mistaken)).toBe(1);
  expect(await enter(payment)).toBe(1);
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('PAID');
  expect(await ledgerOf(database.pool, payment.invoice)).toEqual(['authorisation', 'capture']);
  expect(await takeBack(payment)).toBe(0);
});

test('one that was entered for a wrong invoice is taken back and entered for its own', async () => {
  const payment = await lostPayment();
  const { invoice } = await lostPayment();
  expect(await enter({ ...payment, invoice })).toBe(1);
  expect(await takeBack(payment)).toBe(1);
  expect(await enter(payment)).toBe(1);
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('PAID');
  expect(await statusOf(invoice)).toBe('EXPIRED');
});

test('what the backup holds is not taken back', async () => {
  const payment = await lostPayment();
  const { attempt: id, invoice: invoiceId } = payment;
  await openAttempt(database.pool, { id, invoiceId, provider: 'sandbox', ...CARD }, NOW);
  expect(await takeBack(payment)).toBe(0);
  expect(await enter(payment)).toBe(1);
  expect(await takeBack(payment)).toBe(0);
  await startWorker();
  expect(await statusOf(invoiceId)).toBe('PAID');
});

test('an invoice that has ended by then is left as it is', async () => {
  const payment = await lostPayment();
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('EXPIRED');
  expect(await enter(payment)).toBe(0);
});
