import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripeShop, type StripeShop } from '../../testing/acquirers/stripe-shop.ts';
import { withOwnDataDir } from '../../testing/settings.ts';
import type { Difference } from './compare.ts';
import { listDifferences, settleDifference } from './differences.ts';
import { compareAccount, compareDueBooks } from './run.ts';

const HOUR_MS = 3_600_000;
const BY = { type: 'operator', id: null, label: 'test' } as const;

let shop: StripeShop;

withOwnDataDir();
beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.database.pool.query('DELETE FROM book_differences');
});

const tenant = () => shop.merchant.sandbox.tenant;
const shown = async () => await listDifferences(shop.database.pool, tenant(), 1_000);
const whats = async () => (await shown()).map(({ kind, what }) => `${kind} ${what}`).sort();

/** Compares what began since a time, an hour after all of it. */
async function compare(fromMs: number, accountId = shop.account.id) {
  shop.pass(HOUR_MS);
  const now = shop.clock();
  return await compareAccount(shop.database.pool, accountId, { fromMs, toMs: now.getTime() }, now);
}

/** A paid invoice: its payment's id here and there. */
async function paid(): Promise<{ invoiceId: string; intentId: string; attemptId: string }> {
  const invoiceId = await shop.newInvoice();
  const { id: intentId } = await shop.bank.pay(await shop.atPage(invoiceId));
  const [attempt] = await shop.attemptsOf(invoiceId);
  return { invoiceId, intentId, attemptId: attempt?.id ?? '' };
}

const intentOf = (id: string) => {
  const intent = shop.bank.books.objects.get(id);
  if (!intent) throw new Error(id);
  return intent;
};

/** As many captured payments as wanted, here and there, each a second after the one before. */
async function seedPayments(accountId: string, key: string, count: number): Promise<void> {
  const { pool } = shop.database;
  const invoiceId = await shop.newInvoice();
  const fromMs = shop.clock().getTime();
  const values = [invoiceId, accountId, new Date(fromMs).toISOString(), count];
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, account_id, authorisation_id,
       transaction_id, amount_minor, currency, created_at, updated_at)
     SELECT 'pay_' || n, $1, 'captured', 'stripe', $2, 'cs_' || n, 'pi_' || n, 1000 + n, 'USD', at, at
     FROM generate_series(1, $4::int) n, LATERAL (SELECT $3::timestamptz + n * interval '1 second') t (at)`,
    values,
  );
  await pool.query(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
       amount_minor, currency, status, reference, created_at, updated_at)
     SELECT 'ref_' || n, i.merchant_id, i.environment, i.id, 'pay_' || n, $2, 500, 'USD', 'SUCCEEDED',
            're_' || n, at, at
     FROM invoices i, generate_series(1, $4::int / 10) n,
       LATERAL (SELECT $3::timestamptz + n * interval '1 second') t (at)
     WHERE i.id = $1`,
    values,
  );
  for (let n = 1; n <= count; n++) {
    const created = Math.floor(fromMs / 1_000) + n;
    const [amount, currency] = [1_000 + n, 'usd'];
    const metadata = { attempt_id: `pay_${n}`, account_id: accountId };
    const status = 'succeeded';
    const intent = { id: `pi_${n}`, amount, amount_received: amount, currency, status, created };
    shop.bank.books.makeIntent(key, { ...intent, metadata });
    if (n > count / 10) continue;
    const refund = { id: `re_${n}`, object: 'refund', amount: 500, currency, status, created };
    const ours = { refund_id: `ref_${n}`, account_id: accountId };
    shop.bank.books.makeIntent(key, { ...refund, payment_intent: `pi_${n}`, metadata: ours });
  }
  shop.pass((count + 1) * 1_000);
}

test('each of 40 differences among 10,000 payments is found, and none other; what is put right is gone', async () => {
  const { pool } = shop.database;
  const { objects } = shop.bank.books;
  const { id: accountId, key } = await shop.connect('busy');
  const fromMs = shop.clock().getTime();
  await seedPayments(accountId, key, 10_000);
  const wanted: string[] = [];
  const undo: (() => unknown)[] = [];
  const seed = (what: string, id: string, fault: () => void) => {
    const before = structuredClone(intentOf(id));
    fault();
    undo.push(() => objects.set(id, before));
    wanted.push(`${id} ${what}`);
  };
  for (let n = 1; n <= 8; n++) {
    const at = n * 1_201;
    seed('missing_there', `pi_${at}`, () => objects.delete(`pi_${at}`));
    seed('amount', `pi_${at + 1}`, () =>
      Object.assign(intentOf(`pi_${at + 1}`), { amount_received: 1 }),
    );
    seed('state', `pi_${at + 2}`, () =>
      Object.assign(intentOf(`pi_${at + 2}`), { status: 'canceled' }),
    );
    const lost = shop.bank.books.makeIntent(key, {
      ...intentOf(`pi_${at + 3}`),
      id: `pi_lost_${n}`,
      metadata: { attempt_id: `pay_lost_${n}`, account_id: accountId },
    });
    wanted.push(`${lost.id} missing_here`);
    undo.push(() => objects.delete(lost.id));
    seed('missing_there', `re_${n}`, () => objects.delete(`re_${n}`));
  }
  const compared = await compare(fromMs, accountId);
  const named = (each: Pick<Difference, 'acquirerId' | 'what'>) =>
    `${each.acquirerId} ${each.what}`;
  expect((await shown()).map(named).sort()).toEqual(wanted.sort());
  expect(wanted).toHaveLength(40);
  expect(compared).toMatchObject({ differences: 40 });
  for (const putRight of undo) putRight();
  expect(await compare(fromMs, accountId)).toMatchObject({
    payments: 10_000,
    refunds: 1_000,
    differences: 0,
  });
  expect(await shown()).toEqual([]);
  const { rows } = await pool.query('SELECT count(*)::int AS gone FROM book_differences');
  expect(rows).toEqual([{ gone: 40 }]);
}, 60_000);

test('what agrees is no difference, and a payment that the buyer left is none', async () => {
  const fromMs = shop.clock().getTime();
  await paid();
  await shop.atPage(await shop.newInvoice());
  expect(await compare(fromMs)).toMatchObject({ payments: 1, refunds: 0, found: [] });
});

test('what changed within ten minutes is compared another time', async () => {
  const { pool } = shop.database;
  const fromMs = shop.clock().getTime();
  const { intentId } = await paid();
  Object.assign(intentOf(intentId), { status: 'canceled' });
  const within = async (ms: number) => {
    shop.pass(ms);
    const now = shop.clock();
    const span = { fromMs, toMs: now.getTime() };
    return (await compareAccount(pool, shop.account.id, span, now))?.differences;
  };
  expect(await within(9 * 60_000)).toBe(0);
  expect(await within(2 * 60_000)).toBe(1);
});

test('a fee that is told after the capture is filled in', async () => {
  const { pool } = shop.database;
  const fromMs = shop.clock().getTime();
  const { invoiceId } = await paid();
  const feeOf = async () => (await shop.attemptsOf(invoiceId))[0]?.feeMinor;
  const fee = await feeOf();
  await pool.query('UPDATE payment_attempts SET fee_minor = NULL WHERE invoice_id = $1', [
    invoiceId,
  ]);
  await compare(fromMs);
  expect(await feeOf()).toBe(fee);
  expect(fee).toBeGreaterThan(0n);
});

test('a settled difference is shown no more, until its figures change', async () => {
  const { pool } = shop.database;
  const fromMs = shop.clock().getTime();
  const { intentId, attemptId, invoiceId } = await paid();
  Object.assign(intentOf(intentId), { amount_received: 1 });
  await compare(fromMs);
  const [difference] = await shown();
  expect(difference).toMatchObject({
    what: 'amount',
    ourId: attemptId,
    invoiceId,
    accountName: 'Stripe',
    ours: { amountMinor: 7_999n, currency: 'USD', state: 'captured' },
    theirs: { amountMinor: 1n, currency: 'USD', state: 'succeeded' },
  });
  const settle = (note: string, of = tenant()) =>
    settleDifference(
      pool,
      of,
      { id: difference?.id ?? '', note },
      { actor: BY, now: shop.clock() },
    );
  await expect(settle('x', shop.merchant.production.tenant)).rejects.toMatchObject({
    code: 'difference_not_found',
  });
  await settle('Asked Stripe.');
  await expect(settle('again')).rejects.toMatchObject({ code: 'difference_not_found' });
  await compare(fromMs);
  expect(await shown()).toEqual([]);
  Object.assign(intentOf(intentId), { amount_received: 2 });
  await compare(fromMs);
  expect(await whats()).toEqual(['payment amount']);
  const { rows } = await pool.query(
    "SELECT target_id, details FROM audit_log WHERE action = 'acquirer.settle_difference'",
  );
  expect(rows).toEqual([
    {
      target_id: shop.account.id,
      details: { difference: difference?.id, invoice: invoiceId, note: 'Asked Stripe.' },
    },
  ]);
});

test('the job compares each account once a day, and tries one that failed again in an hour', async () => {
  const { pool } = shop.database;
  await pool.query('UPDATE acquirer_accounts SET compare_at = $1', ['9999-01-01T00:00:00Z']);
  const { id } = await shop.connect('daily');
  const row = async () => {
    const text = 'SELECT compared_at, compare_fault FROM acquirer_accounts WHERE id = $1';
    return (await pool.query(text, [id])).rows[0];
  };
  const run = () => compareDueBooks(pool, { clock: shop.clock, limit: 5 });
  shop.bank.faults.set('GET /v1/payment_intents', ['500', '500', '500']);
  expect(await run()).toBe(1);
  expect(await row()).toMatchObject({ compared_at: null, compare_fault: expect.any(String) });
  expect(await run()).toBe(0);
  shop.bank.faults.clear();
  shop.pass(HOUR_MS);
  expect(await run()).toBe(1);
  expect(await row()).toEqual({ compared_at: shop.clock(), compare_fault: null });
  shop.pass(23 * HOUR_MS);
  expect(await run()).toBe(0);
  shop.pass(HOUR_MS);
  expect(await run()).toBe(1);
});
