import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireDueInvoices } from '../invoices/expire.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith, ledgerOf, RETURN_URL } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { claimCapture, markDeclined, openAttempt } from './mutations.ts';
import { SandboxAcquirer } from './providers/sandbox/sandbox.ts';
import { testCardFor } from './providers/sandbox/test-cards.ts';
import { takeRecoverable } from './rechecks.ts';
import { recoverPayments } from './recover.ts';

// The operator's guide has these statements for payments unknown to a restored database.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const RESTORED = new Date('2026-11-22T12:00:00.000Z');
const CARD = { cardBrand: 'visa', cardLast4: '4242' } as const;

const GUIDE = readFileSync('public/operating/operating.md', 'utf8');
const [, ENTER = ''] = /^```sql\n(WITH entered AS [^`]+)^```$/m.exec(GUIDE) ?? [];
const [, GIVE_UP = ''] = /^```sql\n(WITH released AS [^`]+)^```$/m.exec(GUIDE) ?? [];
const [, END = ''] = /^```sql\n(UPDATE invoices SET end_date [^`]+)^```$/m.exec(GUIDE) ?? [];
const [, LIST = ''] = /^```sql\n(SELECT invoice_id, id, [^`]+)^```$/m.exec(GUIDE) ?? [];
const AT_WORK = 'payment_attempts_one_at_work';

let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

/** The acquirer's knowledge of an attempt that it approved. */
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

/** A payment that the acquirer has taken; the gateway has only its invoice. */
async function lostPayment(tenant = merchant.sandbox.tenant, ends = {}) {
  const { pool } = database;
  const invoice = await createTestInvoice(pool, tenant, { now: NOW, ...ends });
  const attempt = newId('pay', NOW.getTime());
  const authorisation = await authorise(attempt);
  await new SandboxAcquirer(pool).capture({ authorisationId: authorisation }, NOW);
  return { invoice, attempt, authorisation };
}

type Payment = Awaited<ReturnType<typeof lostPayment>>;
type Entry = Payment & { amount?: string; currency?: string; provider?: string; last4?: string };
const REPORTED = { amount: '1500', currency: 'USD', provider: 'sandbox', brand: 'visa' };

/** Runs the statements as psql does, with its variables. */
async function run(statement: string, entry: Partial<Entry>): Promise<number | null> {
  const variables = new Map(Object.entries({ ...REPORTED, last4: '4242', ...entry }));
  const text = statement.replaceAll(/:'(\w+)'/g, (_, name) => `'${variables.get(name)}'`);
  return (await database.pool.query(text)).rowCount;
}

const enter = (entry: Entry) => run(ENTER, entry);
const end = (invoice: string) => run(END, { invoice });
const giveUp = ({ attempt }: { attempt: string }) => run(GIVE_UP, { attempt });

/** Makes the part of a payment that the backup caught. */
async function backUp(payment: Payment, status: 'authorising' | 'capturing' = 'authorising') {
  const { attempt: id, invoice: invoiceId, authorisation } = payment;
  await openAttempt(database.pool, { id, invoiceId, provider: 'sandbox', ...CARD }, NOW);
  if (status === 'capturing') await claimCapture(database.pool, id, authorisation, NOW);
  expect((await findAttempt(database.pool, id))?.status).toBe(status);
}

/** An attempt for the same invoice that the acquirer approved and never captured. */
async function rivalOf({ invoice }: Payment): Promise<Payment> {
  const attempt = newId('pay', NOW.getTime());
  return { invoice, attempt, authorisation: await authorise(attempt) };
}

/** Runs the jobs of a worker that has just started; the feared expiry comes first. */
async function startWorker(): Promise<void> {
  const { pool } = database;
  await expireDueInvoices(pool, { now: RESTORED, limit: 100 });
  // The statements speak of the present.
  const { errors } = await recoverPayments(pool, { clock: () => new Date(), limit: 100 });
  expect(errors).toEqual([]);
  await expireDueInvoices(pool, { now: RESTORED, limit: 100 });
}

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [id]);
  return rows[0]?.status;
}

/** Expects that a worker makes each invoice PAID by one capture of its own. */
async function expectPaid(...payments: Payment[]): Promise<void> {
  await startWorker();
  for (const { invoice, attempt } of payments) {
    expect(await statusOf(invoice)).toBe('PAID');
    expect((await findAttempt(database.pool, attempt))?.status).toBe('captured');
    expect((await ledgerOf(database.pool, invoice)).filter((kind) => kind === 'capture')).toEqual([
      'capture',
    ]);
  }
  expect(await booksDisagree(database.pool)).toEqual([]);
}

test('a payment of the lost span that was entered is PAID, after the end and with no second capture', async () => {
  const payment = await lostPayment();
  expect(await enter(payment)).toBe(1);
  await expectPaid(payment);
  expect(await ledgerOf(database.pool, payment.invoice)).toEqual(['authorisation', 'capture']);
  expect(await enter(payment)).toBe(0);
});

test.each(['authorising', 'capturing'] as const)(
  'one that the backup caught %s is PAID as well, and entering it twice does no harm',
  async (status) => {
    const payment = await lostPayment();
    await backUp(payment, status);
    expect(await enter(payment)).toBe(1);
    expect(await enter(payment)).toBe(1);
    await expectPaid(payment);
  },
);

test.each(['authorising', 'capturing'] as const)(
  'where the backup caught another attempt %s, that one is given up by its name alone, and voided',
  async (status) => {
    const payment = await lostPayment();
    const rival = await rivalOf(payment);
    await backUp(rival, status);
    await expect(enter(payment)).rejects.toThrow(AT_WORK);
    expect((await findAttempt(database.pool, rival.attempt))?.status).toBe(status);
    expect(await giveUp(rival)).toBe(1);
    expect(await giveUp(rival)).toBe(0);
    expect(await enter(payment)).toBe(1);
    await expectPaid(payment);
    expect((await findAttempt(database.pool, rival.attempt))?.status).toBe('voided');
    expect(await ledgerOf(database.pool, payment.invoice)).toEqual([
      'authorisation',
      'capture',
      'authorisation',
      'void',
    ]);
  },
);

test('one that the backup caught while it was captured loses nothing by a slip with another', async () => {
  const held = await lostPayment();
  await backUp(held, 'capturing');
  const other = await lostPayment();
  await expect(enter({ ...other, invoice: held.invoice })).rejects.toThrow(AT_WORK);
  expect(await enter(held)).toBe(1);
  await expect(enter({ ...other, invoice: held.invoice })).rejects.toThrow(AT_WORK);
  expect(await enter({ ...held, authorisation: other.authorisation })).toBe(1);
  await expect(enter(other)).rejects.toThrow('payment_attempts_one_holder');
  expect(await enter(held)).toBe(1);
  expect(await enter(other)).toBe(1);
  await expectPaid(held, other);
});

test('a payment that was entered makes way for no other, and moves to no other invoice', async () => {
  const first = await lostPayment();
  const second = await lostPayment();
  expect(await enter(first)).toBe(1);
  await expect(enter({ ...second, invoice: first.invoice })).rejects.toThrow(AT_WORK);
  expect(await enter({ ...first, invoice: second.invoice })).toBe(0);
  expect(await enter(second)).toBe(1);
  await expectPaid(first, second);
});

test.each([
  ['authorisation', { authorisation: 'sbx_wrong' }],
  ['provider', { provider: 'gone' }],
  ['card', { last4: '0000' }],
])(
  'one that was entered with a wrong %s is corrected by entering it again',
  async (_what, wrong) => {
    const fresh = await lostPayment();
    const open = await lostPayment();
    await backUp(open);
    for (const payment of [fresh, open]) {
      expect(await enter({ ...payment, ...wrong })).toBe(1);
      expect(await enter(payment)).toBe(1);
      expect((await findAttempt(database.pool, payment.attempt))?.cardLast4).toBe('4242');
    }
    await expectPaid(fresh, open);
  },
);

test('one that was entered under a wrong key, or for a wrong invoice, is given up and entered anew', async () => {
  const payment = await lostPayment();
  const another = await lostPayment();
  const unknown = { ...payment, attempt: newId('pay', NOW.getTime()) };
  const ofAnother = { ...payment, attempt: another.attempt };
  const elsewhere = { ...payment, invoice: another.invoice };
  for (const mistaken of [unknown, ofAnother, elsewhere]) {
    expect(await enter(mistaken)).toBe(1);
    expect(await giveUp(mistaken)).toBe(1);
  }
  expect(await enter(payment)).toBe(1);
  expect(await enter(another)).toBe(1);
  await expectPaid(payment, another);
  expect((await findAttempt(database.pool, unknown.attempt))?.status).toBe('failed');
});

test('one that is only given up is left to the acquirer as it stands', async () => {
  const payment = await lostPayment();
  expect(await enter(payment)).toBe(1);
  expect(await giveUp(payment)).toBe(1);
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('EXPIRED');
  const { pool } = database;
  expect(await ledgerOf(pool, payment.invoice)).toEqual(['authorisation', 'capture']);
  // The other tests must not see this attempt.
  await pool.query('DELETE FROM payment_attempts WHERE id = $1', [payment.attempt]);
});

test.each([
  ['amount', { amount: '1501' }],
  ['currency', { currency: 'EUR' }],
])('one of another %s than its invoice is not entered', async (_what, wrong) => {
  const payment = await lostPayment();
  expect(await enter({ ...payment, ...wrong })).toBe(0);
  await expect(enter({ ...payment, amount: '15.00' })).rejects.toThrow('invalid input syntax');
  expect(await findAttempt(database.pool, payment.attempt)).toBeNull();
});

test('one is not entered under the key of an attempt that was declined', async () => {
  const payment = await lostPayment();
  const declined = { ...payment, attempt: newId('pay', NOW.getTime()) };
  await backUp(declined);
  const decline = { reason: 'generic_decline', authorisationId: null } as const;
  await markDeclined(database.pool, declined.attempt, decline, NOW);
  expect(await enter(declined)).toBe(0);
  expect(await enter(payment)).toBe(1);
  await expectPaid(payment);
});

test('the sandbox pays for no production invoice', async () => {
  expect(await enter(await lostPayment(merchant.production.tenant))).toBe(0);
});

test('what a worker has begun to capture is corrected no more', async () => {
  const payment = await lostPayment();
  expect(await enter(payment)).toBe(1);
  const due = { now: new Date(), limit: 100 };
  expect(await takeRecoverable(database.pool, due)).toContain(payment.attempt);
  expect(await enter({ ...payment, authorisation: 'sbx_wrong' })).toBe(0);
  expect(await enter(payment)).toBe(1);
  await expectPaid(payment);
});

test('what was entered is listed until a worker starts', async () => {
  const payment = await lostPayment();
  await backUp(await lostPayment(), 'capturing');
  expect(await enter(payment)).toBe(1);
  const { rows } = await database.pool.query(LIST);
  expect(rows).toEqual([
    {
      invoice_id: payment.invoice,
      id: payment.attempt,
      provider: 'sandbox',
      authorisation_id: payment.authorisation,
      amount_minor: '1500',
      currency: 'USD',
    },
  ]);
  await expectPaid(payment);
  expect(await run(LIST, {})).toBe(0);
});

test('an invoice that has ended by then is left as it is', async () => {
  const payment = await lostPayment();
  await startWorker();
  expect(await statusOf(payment.invoice)).toBe('EXPIRED');
  expect(await enter(payment)).toBe(0);
});

const inAnHour = () => ({ endDateMs: Date.now() + 3_600_000 });

test('what was cancelled in the span is ended, so that nobody pays for it any more', async () => {
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  const invoice = await createTestInvoice(pool, tenant, { now: NOW, ...inAnHour() });
  expect(await end(invoice)).toBe(1);
  // The end is rounded to a millisecond that may still lie ahead.
  await expireDueInvoices(pool, { now: new Date(Date.now() + 1_000), limit: 100 });
  expect(await statusOf(invoice)).toBe('EXPIRED');
  expect(await end(invoice)).toBe(0);
});

test('what was entered as paid is not ended', async () => {
  const payment = await lostPayment(merchant.sandbox.tenant, inAnHour());
  expect(await enter(payment)).toBe(1);
  expect(await end(payment.invoice)).toBe(0);
  await expectPaid(payment);
});
