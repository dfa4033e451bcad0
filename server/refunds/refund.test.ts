import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { SandboxRefunds } from '../payments/providers/sandbox/sandbox-refunds.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { createPaidInvoice, refundBooksDisagree } from '../testing/refunds.ts';
import { findRefund, listRefunds } from './data.ts';
import { recoverRefunds } from './recover.ts';
import { requestRefund } from './refund.ts';
import { endRefund } from './transition.ts';
import type { NewRefund, Refund } from './types.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
let tenant: Tenant;
const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
let nowMs = START_MS;
const clock = () => new Date(nowMs);

beforeAll(async () => {
  database = await createTestDatabase(10);
  merchant = await createMerchantFixture(database.pool);
  ({ tenant } = merchant.sandbox);
});
afterEach(() => {
  vi.restoreAllMocks();
  nowMs = START_MS;
});
afterAll(async () => {
  expect(await refundBooksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const paid = (amountMinor = 1500) =>
  createPaidInvoice(database.pool, tenant, { now: clock(), amountMinor });

const ask = (wanted: Partial<NewRefund> & { invoiceId: string }, of = tenant) =>
  requestRefund(
    database.pool,
    of,
    { refundTransactionId: randomUUID(), amountMinor: null, reason: null, ...wanted },
    { actor: { type: 'api', id: 'tok_1', requestId: 'req_1' }, audit: null, key: null, clock },
  );

/** The refund, or the text of the refusal. */
async function outcome(...args: Parameters<typeof ask>): Promise<Refund | string> {
  const begun = await ask(...args);
  if ('isRepeat' in begun) throw new Error('there was no key');
  return 'refund' in begun ? begun.refund : begun.refusal.message;
}

async function refunded(...args: Parameters<typeof ask>): Promise<Refund> {
  const refund = await outcome(...args);
  if (typeof refund === 'string') throw new Error(refund);
  return refund;
}

const listed = async (invoiceId: string) => {
  const found = await listRefunds(database.pool, tenant, invoiceId);
  if (!found) throw new Error(`${invoiceId} is gone`);
  return found;
};
const sumsOf = async (invoiceId: string) => {
  const { refundedMinor, refundableMinor } = await listed(invoiceId);
  return [refundedMinor, refundableMinor];
};

async function recoverAfter(ms: number): Promise<void> {
  nowMs += ms;
  const { errors } = await recoverRefunds(database.pool, { clock, limit: 100 });
  expect(errors).toEqual([]);
}

/** How often the sandbox acquirer has written a refund of an invoice, and what it came to. */
async function booked(invoiceId: string) {
  const { rows } = await database.pool.query(
    `SELECT count(DISTINCT s.id)::int AS asked, count(e.id)::int AS entries, sum(e.amount_minor)::int AS sum
     FROM refunds r JOIN sandbox_refunds s ON s.id = r.id
     LEFT JOIN sandbox_ledger_entries e ON e.refund_id = s.id WHERE r.invoice_id = $1`,
    [invoiceId],
  );
  return rows[0];
}

test('all that is left goes back without an amount, and then nothing is left', async () => {
  const invoiceId = await paid();
  const part = await refunded({ invoiceId, amountMinor: 400n, reason: 'One ticket' });
  expect(part).toMatchObject({
    id: expect.stringMatching(/^ref_[0-9a-z]{35}$/),
    invoiceId,
    amountMinor: 400n,
    currency: 'USD',
    status: 'SUCCEEDED',
    reason: 'One ticket',
    failureReason: null,
  });
  expect(await refunded({ invoiceId })).toMatchObject({ amountMinor: 1100n, status: 'SUCCEEDED' });
  expect(await sumsOf(invoiceId)).toEqual([1500n, 0n]);
  expect(await booked(invoiceId)).toEqual({ asked: 2, entries: 2, sum: 1500 });
  const again = await outcome({ invoiceId });
  expect(again).toBe('Refund exceeds the refundable amount: 0');
});

test('what cannot be refunded is refused in so many words, and writes nothing', async () => {
  const invoiceId = await paid();
  const tooMuch = await outcome({ invoiceId, amountMinor: 1501n });
  expect(tooMuch).toBe('Refund exceeds the refundable amount: 1500');
  const pending = await createTestInvoice(database.pool, tenant, { now: clock() });
  expect(await outcome({ invoiceId: pending })).toBe('Invoice cannot be refunded: it is PENDING');
  nowMs += 3_600_001;
  expect(await outcome({ invoiceId: pending })).toBe('Invoice cannot be refunded: it is EXPIRED');
  await expect(ask({ invoiceId: 'inv_none' })).rejects.toMatchObject({ code: 'invoice_not_found' });
  await expect(ask({ invoiceId }, merchant.production.tenant)).rejects.toMatchObject({
    code: 'invoice_not_found',
  });
  expect((await listed(invoiceId)).refunds).toEqual([]);
});

test('a repeated refund_transaction_id is refused before its sum is looked at, on any invoice', async () => {
  const refundTransactionId = 'once';
  const invoiceId = await paid();
  await refunded({ invoiceId, refundTransactionId });
  const exists = 'Refund with this refund_transaction_id already exists';
  expect(await outcome({ invoiceId, refundTransactionId })).toBe(exists);
  expect(await outcome({ invoiceId: await paid(), refundTransactionId })).toBe(exists);
  const ids = await Promise.all(Array.from({ length: 8 }, () => paid()));
  const at = await Promise.all(
    ids.map((id) => outcome({ invoiceId: id, refundTransactionId: 'x' })),
  );
  expect(at.filter((each) => typeof each !== 'string')).toHaveLength(1);
  expect(at.filter((each) => each === exists)).toHaveLength(7);
});

test('of fifty partial refunds at once exactly those that fit pass', async () => {
  const invoiceId = await paid(1000);
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => outcome({ invoiceId, amountMinor: 30n })),
  );
  expect(outcomes.filter((each) => typeof each !== 'string')).toHaveLength(33);
  expect(await sumsOf(invoiceId)).toEqual([990n, 10n]);
  expect(await booked(invoiceId)).toEqual({ asked: 33, entries: 33, sum: 990 });
  const { refunds } = await listed(invoiceId);
  const times = refunds.map(({ createdAtMs }) => createdAtMs);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test('one that the acquirer refuses has failed and frees its sum', async () => {
  const invoiceId = await paid();
  const failed = await refunded({ invoiceId, reason: 'test:fail' });
  expect(failed).toMatchObject({ status: 'FAILED', failureReason: expect.any(String) });
  expect(await sumsOf(invoiceId)).toEqual([0n, 1500n]);
  await refunded({ invoiceId });
  expect(await sumsOf(invoiceId)).toEqual([1500n, 0n]);
});

test('one that succeeded and fails days later frees its sum, once', async () => {
  const invoiceId = await paid();
  const { id } = await refunded({ invoiceId, amountMinor: 1000n });
  // The sandbox never does this: what follows makes its books agree.
  const end = { reference: null, failureReason: 'The account is closed.', now: clock() };
  expect(await endRefund(database.pool, id, 'fail', end)).toMatchObject({ status: 'FAILED' });
  expect(await endRefund(database.pool, id, 'fail', end)).toBeNull();
  expect(await endRefund(database.pool, id, 'succeed', end)).toBeNull();
  expect(await sumsOf(invoiceId)).toEqual([0n, 1500n]);
  await database.pool.query('DELETE FROM sandbox_ledger_entries WHERE refund_id = $1', [id]);
});

test('one that the acquirer takes time for is PENDING, holds its sum, and is asked about', async () => {
  const invoiceId = await paid();
  const { id, status } = await refunded({ invoiceId, amountMinor: 600n, reason: 'test:pending' });
  expect(status).toBe('PENDING');
  expect(await sumsOf(invoiceId)).toEqual([600n, 900n]);
  expect(await outcome({ invoiceId, amountMinor: 901n })).toContain('exceeds');
  await recoverAfter(4_999);
  expect((await findRefund(database.pool, id))?.status).toBe('PENDING');
  await recoverAfter(1);
  expect((await findRefund(database.pool, id))?.status).toBe('SUCCEEDED');
  expect(await booked(invoiceId)).toEqual({ asked: 1, entries: 1, sum: 600 });
});

const original = SandboxRefunds.prototype.refund;

test.each([
  ['before the acquirer was asked', () => Promise.reject(new Error('killed'))],
  [
    'before its answer was taken in',
    async function (this: SandboxRefunds, ...args: Parameters<typeof original>) {
      await original.apply(this, args);
      throw new Error('killed');
    },
  ],
])('a death %s ends as one refund', async (_, refund) => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const invoiceId = await paid();
  vi.spyOn(SandboxRefunds.prototype, 'refund').mockImplementation(refund);
  const { id, status } = await refunded({ invoiceId, amountMinor: 700n });
  expect(status).toBe('PENDING');
  expect(await sumsOf(invoiceId)).toEqual([700n, 800n]);
  vi.restoreAllMocks();
  await recoverAfter(10_000);
  expect((await findRefund(database.pool, id))?.status).toBe('SUCCEEDED');
  expect(await booked(invoiceId)).toEqual({ asked: 1, entries: 1, sum: 700 });
  await recoverAfter(60_000);
  expect(await booked(invoiceId)).toEqual({ asked: 1, entries: 1, sum: 700 });
});

test('a process that dies while it asks keeps the refund for its lease, and then it is finished', async () => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const invoiceId = await paid();
  // Never answered and never given up: as if the process were gone.
  const wasAsked = new Promise<void>((resolve) => {
    vi.spyOn(SandboxRefunds.prototype, 'refund').mockImplementation(() => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asking = refunded({ invoiceId });
  await wasAsked;
  await vi.advanceTimersByTimeAsync(8_000);
  vi.useRealTimers();
  const { id, status } = await asking;
  expect(status).toBe('PENDING');
  vi.restoreAllMocks();
  await recoverAfter(44_999);
  expect((await findRefund(database.pool, id))?.status).toBe('PENDING');
  await recoverAfter(1);
  expect((await findRefund(database.pool, id))?.status).toBe('SUCCEEDED');
});

test('an acquirer that cannot be asked is asked after 10 s, 30 s, 1, 2, 5 min, every 10 min, for 30 days', async () => {
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const invoiceId = await paid();
  vi.spyOn(SandboxRefunds.prototype, 'refund').mockRejectedValue(new Error('away'));
  vi.spyOn(SandboxRefunds.prototype, 'lookupRefund').mockRejectedValue(new Error('away'));
  const { id } = await refunded({ invoiceId });
  const dueAfter = async () => {
    const { rows } = await database.pool.query('SELECT recover_at FROM refunds WHERE id = $1', [
      id,
    ]);
    const at: Date | null = rows[0].recover_at;
    return at && (at.getTime() - START_MS) / 1000;
  };
  const delays: (number | null)[] = [await dueAfter()];
  while (delays.length < 8) {
    nowMs = START_MS + Number(delays.at(-1)) * 1000;
    await recoverRefunds(database.pool, { clock, limit: 100 });
    delays.push(await dueAfter());
  }
  expect(delays).toEqual([5, 10, 30, 60, 120, 300, 900, 1500]);
  nowMs = START_MS + 30 * 86_400_000;
  await recoverRefunds(database.pool, { clock, limit: 100 });
  expect(await dueAfter()).toBeNull();
  expect((await findRefund(database.pool, id))?.status).toBe('PENDING');
});
