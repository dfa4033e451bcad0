import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { readInvoiceForBuyer, readStatus } from '../invoices/data.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith, ledgerOf } from '../testing/payments.ts';
import { MAX_ATTEMPTS, nextTryAtMs } from './card-testing.ts';
import { listAttempts } from './data.ts';
import { payInvoice } from './pay.ts';
import { answerSandboxChallenge } from './providers/sandbox/sandbox-challenge.ts';
import {
  type SandboxOutcome,
  SLOW_ANSWER_MS,
  TEST_CARDS,
  testCardFor,
} from './providers/sandbox/test-cards.ts';
import { recoverPayments } from './recover.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const END_MS = Date.parse('2026-11-21T13:00:00.000Z');

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const create = () => createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
const clockAt = (timeMs: number) => () => new Date(timeMs);
const fail = (error: unknown) => {
  throw error;
};

function pay(
  invoiceId: string,
  outcome: SandboxOutcome,
  { atMs = NOW.getTime(), waitMs = 5_000 } = {},
) {
  return payInvoice(database.pool, invoiceId, cardWith(testCardFor(outcome).number), {
    clock: clockAt(atMs),
    actor: { type: 'buyer' },
    waitMs,
    onLateError: fail,
  });
}

const challenge = (
  invoiceId: string,
  attemptId: string,
  answer: 'approve' | 'fail' | 'leave',
  atMs = NOW.getTime(),
) =>
  answerSandboxChallenge(
    database.pool,
    { invoiceId, attemptId, answer },
    { clock: clockAt(atMs), actor: { type: 'buyer' } },
  );

async function statusOf(invoiceId: string) {
  return (await readInvoiceForBuyer(database.pool, invoiceId, { now: NOW }))?.status;
}

async function openChallenge(
  invoiceId: string,
  outcome: SandboxOutcome = 'challenge_approved',
): Promise<string> {
  const opened = await pay(invoiceId, outcome);
  if (opened.outcome !== 'attempted') throw new Error(opened.outcome);
  expect(opened.attempt.status).toBe('challenge');
  return opened.attempt.id;
}

describe('paying with a test card', () => {
  test('approved: captured once, PAID, and the callback names the transaction and the receipt', async () => {
    const id = await create();
    const paid = await pay(id, 'approved');
    expect(paid).toMatchObject({
      outcome: 'attempted',
      attempt: { status: 'captured', cardLast4: '4242' },
    });
    expect(await statusOf(id)).toBe('PAID');
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'capture']);
    const { rows } = await database.pool.query('SELECT body FROM callbacks WHERE invoice_id = $1', [
      id,
    ]);
    const { extra_data: extra, status } = JSON.parse(String(rows[0].body));
    expect(status).toBe(2);
    expect(extra.provider).toBe('sandbox');
    expect(extra.transaction_id).toMatch(/^sbx_/);
    expect(extra.receipt_url).toMatch(new RegExp(`^http.*/pay/${id}/receipt$`));
  });

  test.each([
    'generic_decline',
    'insufficient_funds',
    'lost_card',
    'expired_card',
    'incorrect_cvc',
    'processing_error',
  ] as const)(
    '%s: declined with that reason, still PENDING, and another card pays',
    async (reason) => {
      const id = await create();
      expect(await pay(id, reason)).toMatchObject({
        attempt: { status: 'declined', declineReason: reason },
      });
      expect(await statusOf(id)).toBe('PENDING');
      expect(await ledgerOf(database.pool, id)).toEqual([]);
      await pay(id, 'approved');
      expect(await statusOf(id)).toBe('PAID');
    },
  );

  test('a number that is no test card is declined and nothing of it is kept but four digits', async () => {
    const id = await create();
    const card = cardWith('4111111111111111');
    const answer = await payInvoice(database.pool, id, card, {
      clock: clockAt(NOW.getTime()),
      actor: { type: 'buyer' },
      waitMs: 1_000,
      onLateError: fail,
    });
    expect(answer).toMatchObject({ attempt: { declineReason: 'test_card_required' } });
    const { rows } = await database.pool.query(
      'SELECT to_jsonb(p)::text AS text FROM payment_attempts p WHERE invoice_id = $1',
      [id],
    );
    expect(rows[0].text).not.toContain('411111111111');
  });

  test('at its end date it can still be paid, a millisecond later it is EXPIRED', async () => {
    const onTime = await create();
    await pay(onTime, 'approved', { atMs: END_MS });
    expect(await statusOf(onTime)).toBe('PAID');
    const late = await create();
    expect(await pay(late, 'approved', { atMs: END_MS + 1 })).toEqual({
      outcome: 'final',
      status: 'EXPIRED',
    });
    expect(await ledgerOf(database.pool, late)).toEqual([]);
  });

  test('a slow acquirer: the buyer is told that it is at work, and a second try does not start', async () => {
    const id = await create();
    const slow = await pay(id, 'slow_approved', { waitMs: 50 });
    expect(slow).toMatchObject({ outcome: 'attempted', attempt: { status: 'authorising' } });
    expect(await pay(id, 'approved')).toEqual({ outcome: 'in_progress' });
    expect(await statusOf(id)).toBe('PENDING');
  });

  test('a slow acquirer and a cancel meanwhile: CANCELED at once, and voided when it has answered', async () => {
    const id = await create();
    await pay(id, 'slow_approved', { waitMs: 50 });
    const context = { actor: { type: 'api' } as const, now: NOW };
    const canceled = await cancelInvoice(database.pool, merchant.sandbox.tenant, id, context);
    expect(canceled).toMatchObject({ outcome: 'canceled', view: { status: 'CANCELED' } });
    const answered = new Date(NOW.getTime() + SLOW_ANSWER_MS);
    await recoverPayments(database.pool, { clock: () => answered, limit: 100 });
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'void']);
    expect(await statusOf(id)).toBe('CANCELED');
  });

  test('attempts are limited for ten minutes, and a refused one leaves an open challenge alone', async () => {
    // As the public pages tell.
    expect(MAX_ATTEMPTS).toBe(10);
    const id = await create();
    for (let i = 1; i < MAX_ATTEMPTS; i++) await pay(id, 'generic_decline');
    const attemptId = await openChallenge(id);
    expect(await pay(id, 'approved')).toEqual({ outcome: 'too_many_attempts' });
    expect(await listAttempts(database.pool, id)).toHaveLength(MAX_ATTEMPTS);
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'captured' });

    const other = await create();
    for (let i = 0; i < MAX_ATTEMPTS; i++) await pay(other, 'generic_decline');
    expect(await pay(other, 'approved')).toEqual({ outcome: 'too_many_attempts' });
    await pay(other, 'approved', { atMs: NOW.getTime() + 10 * 60_000 });
    expect(await statusOf(other)).toBe('PAID');
  });

  test('beside an attempt at work nobody hears of too many', async () => {
    const id = await create();
    for (let i = 1; i < MAX_ATTEMPTS; i++) await pay(id, 'generic_decline');
    await pay(id, 'slow_approved', { waitMs: 50 });
    expect(await pay(id, 'approved')).toEqual({ outcome: 'in_progress' });
  });

  test('the next attempt is possible when the tenth newest is ten minutes old, as is told', async () => {
    const id = await create();
    for (let i = 0; i <= MAX_ATTEMPTS; i++) {
      await pay(id, 'generic_decline', { atMs: NOW.getTime() + i * 60_000 });
    }
    const attempts = await listAttempts(database.pool, id);
    expect(attempts).toHaveLength(MAX_ATTEMPTS + 1);
    const lastMs = NOW.getTime() + 10 * 60_000;
    const nextMs = nextTryAtMs(attempts, new Date(lastMs));
    expect(nextMs).toBe(NOW.getTime() + 11 * 60_000);
    expect(nextTryAtMs(attempts, new Date(nextMs!))).toBeNull();
    expect(await pay(id, 'approved', { atMs: nextMs! - 1 })).toEqual({
      outcome: 'too_many_attempts',
    });
    await pay(id, 'approved', { atMs: nextMs! });
    expect(await statusOf(id)).toBe('PAID');
  });

  test('production has no acquirer: nothing is attempted', async () => {
    const id = await createTestInvoice(database.pool, merchant.production.tenant, { now: NOW });
    expect(await pay(id, 'approved')).toEqual({ outcome: 'unavailable' });
    expect(await listAttempts(database.pool, id)).toEqual([]);
  });

  test('an unknown invoice is not found', async () => {
    expect(await pay('inv_none', 'approved')).toEqual({ outcome: 'not_found' });
  });
});

describe('3-D Secure', () => {
  test('passed: PAID', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    expect(await statusOf(id)).toBe('PENDING');
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'captured' });
    expect(await statusOf(id)).toBe('PAID');
  });

  test('failed: declined, and a later approval of the same challenge changes nothing', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    expect(await challenge(id, attemptId, 'fail')).toMatchObject({
      status: 'declined',
      declineReason: 'authentication_failed',
    });
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'declined' });
    expect(await statusOf(id)).toBe('PENDING');
  });

  test('left: abandoned, nothing was charged, another card pays', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    expect(await challenge(id, attemptId, 'leave')).toMatchObject({ status: 'abandoned' });
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'abandoned' });
    await pay(id, 'approved');
    expect(await statusOf(id)).toBe('PAID');
  });

  test.each([
    ['challenge_failed', 'declined', 'authentication_failed'],
    ['challenge_abandoned', 'abandoned', 'challenge_abandoned'],
  ] as const)(
    '%s ends as its card stands for, whatever is pressed',
    async (outcome, status, declineReason) => {
      const id = await create();
      for (const pressed of ['approve', 'fail', 'leave'] as const) {
        const attemptId = await openChallenge(id, outcome);
        expect(await challenge(id, attemptId, pressed)).toMatchObject({ status, declineReason });
      }
      expect(await statusOf(id)).toBe('PENDING');
      expect(await ledgerOf(database.pool, id)).toEqual([]);
    },
  );

  test('the last digits of a test card are its own: they tell how its challenge ends', () => {
    expect(new Set(TEST_CARDS.map(({ number }) => number.slice(-4))).size).toBe(TEST_CARDS.length);
  });

  test('passed in ten tabs at once: one capture', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    await Promise.all(Array.from({ length: 10 }, () => challenge(id, attemptId, 'approve')));
    expect(await statusOf(id)).toBe('PAID');
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'capture']);
  });

  test('passed after the invoice was cancelled: voided, not charged, CANCELED stays', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    const context = { actor: { type: 'api' } as const, now: NOW };
    const { outcome } = await cancelInvoice(database.pool, merchant.sandbox.tenant, id, context);
    expect(outcome).toBe('canceled');
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'voided' });
    expect(await statusOf(id)).toBe('CANCELED');
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'void']);
  });

  test('passed after the end date: voided, not charged, and never both PAID and EXPIRED', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    expect(await challenge(id, attemptId, 'approve', END_MS + 1)).toMatchObject({
      status: 'voided',
    });
    const view = await readStatus(
      database.pool,
      merchant.sandbox.tenant,
      { invoiceId: id },
      { now: new Date(END_MS + 1) },
    );
    expect(view?.status).toBe('EXPIRED');
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'void']);
  });

  test('another card while a challenge is open gives the challenge up: one charge', async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    await pay(id, 'approved');
    expect(await challenge(id, attemptId, 'approve')).toMatchObject({ status: 'voiding' });
    expect(await statusOf(id)).toBe('PAID');
    expect(await ledgerOf(database.pool, id)).toEqual(['authorisation', 'capture']);
  });

  test("another invoice's attempt is not answered", async () => {
    const id = await create();
    const attemptId = await openChallenge(id);
    expect(await challenge(await create(), attemptId, 'approve')).toBeNull();
    expect(await statusOf(id)).toBe('PENDING');
  });
});
