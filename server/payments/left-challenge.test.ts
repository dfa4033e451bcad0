import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith } from '../testing/payments.ts';
import { findAttempt } from './data.ts';
import { giveUpChallenge } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { type SandboxOutcome, testCardFor } from './providers/sandbox/test-cards.ts';
import { recoverPayments } from './recover.ts';

// Recovery finishes a challenge that was given up, for no other caller comes back to it.

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

async function pay(invoiceId: string, outcome: SandboxOutcome) {
  const paid = await payInvoice(database.pool, invoiceId, cardWith(testCardFor(outcome).number), {
    clock: () => NOW,
    actor: { type: 'buyer' },
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
  return paid.attempt;
}

async function openChallenge() {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
  const attempt = await pay(invoiceId, 'challenge_approved');
  expect(attempt.status).toBe('challenge');
  return { invoiceId, attemptId: attempt.id };
}

const statusOf = async (attemptId: string) => (await findAttempt(database.pool, attemptId))?.status;

async function recoverAfter(ms: number) {
  const now = new Date(NOW.getTime() + ms);
  const { errors } = await recoverPayments(database.pool, { clock: () => now, limit: 100 });
  expect(errors).toEqual([]);
}

test('a challenge that another card replaced is abandoned by the next look', async () => {
  const { invoiceId, attemptId } = await openChallenge();
  expect((await pay(invoiceId, 'approved')).status).toBe('captured');
  expect(await statusOf(attemptId)).toBe('voiding');
  await recoverAfter(0);
  expect(await statusOf(attemptId)).toBe('abandoned');
});

test('a challenge that was given up by a process that then died is abandoned after its lease', async () => {
  const { attemptId } = await openChallenge();
  expect(await giveUpChallenge(database.pool, attemptId, NOW)).toBe(true);
  await recoverAfter(9_999);
  expect(await statusOf(attemptId)).toBe('voiding');
  await recoverAfter(10_000);
  expect(await statusOf(attemptId)).toBe('abandoned');
});
