import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { metrics } from '../observability/metrics.ts';
import { claimedAttempt, openedAttempt } from '../testing/cut-off-attempts.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith, insertAttempt, ledgerOf } from '../testing/payments.ts';
import { advance, capture, type PaymentContext, voidAuthorisation } from './advance.ts';
import { paymentContext } from './context.ts';
import { findAttempt } from './data.ts';
import { markDeclined, releaseClaim } from './mutations.ts';
import { payInvoice } from './pay.ts';
import { answerSandboxChallenge } from './providers/sandbox/sandbox-challenge.ts';
import { testCardFor } from './providers/sandbox/test-cards.ts';
import { recoverPayments } from './recover.ts';
import type { AttemptStatus, PaymentAttempt } from './types.ts';

// A second comer beside another attempt at work, or with an answer that another process had.

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

const actor = { type: 'buyer' } as const;
const clock = () => NOW;
const contextOf = () => paymentContext(database.pool, { provider: 'sandbox', clock, actor });
const recover = (afterMs: number) => {
  const now = new Date(NOW.getTime() + afterMs);
  return recoverPayments(database.pool, { clock: () => now, limit: 100 });
};

async function attemptOf(id: string) {
  const attempt = await findAttempt(database.pool, id);
  if (!attempt) throw new Error('no attempt');
  return attempt;
}

const countOf = async (outcome: string) => {
  const { values } = await metrics().payments.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

test('an approval beside another attempt at work waits for its end, and is captured soon after it', async () => {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
  const card = cardWith(testCardFor('challenge_approved').number);
  const options = { clock, actor, waitMs: 10_000, onLateError: () => undefined };
  const paid = await payInvoice(pool, invoiceId, card, options);
  if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
  const { id } = paid.attempt;
  // The gateway opens none beside a challenge; an operator's manual entry does.
  const recoverAt = new Date(NOW.getTime() + 15_000);
  const attempt = { invoiceId, status: 'authorising', updatedAt: NOW, recoverAt } as const;
  const other = await insertAttempt(pool, attempt);

  const answer = { invoiceId, attemptId: id, answer: 'approve' } as const;
  expect(await answerSandboxChallenge(pool, answer, { clock, actor })).toMatchObject({
    status: 'challenge',
  });
  expect(await ledgerOf(pool, invoiceId)).toEqual(['authorisation']);
  expect(await recover(1_999)).toMatchObject({ recovered: 0, failed: 0 });

  await markDeclined(pool, other, { reason: 'lost_card', authorisationId: null }, NOW);
  await recover(2_000);
  expect(await attemptOf(id)).toMatchObject({ status: 'captured' });
  expect((await readInvoiceForBuyer(pool, invoiceId, { now: NOW }))?.status).toBe('PAID');
  expect(await ledgerOf(pool, invoiceId)).toEqual(['authorisation', 'capture']);
});

type Open = typeof openedAttempt;

/** Releases the claim, as a process whose invoice ended meanwhile does. */
const releasedAttempt: Open = async (pool, tenant, now) => {
  const attempt = await claimedAttempt(pool, tenant, now);
  await releaseClaim(pool, attempt.id, now);
  return attempt;
};

const decline = (context: PaymentContext, { id }: PaymentAttempt) =>
  advance(context, id, { state: 'declined', reason: 'lost_card', authorisationId: null });

test.each<[string, AttemptStatus, string, Open, typeof decline]>([
  ['a capture', 'captured', 'paid', claimedAttempt, capture],
  ['a release', 'voided', 'voided', releasedAttempt, voidAuthorisation],
  ['a decline', 'declined', 'declined', openedAttempt, decline],
])(
  '%s that two processes have carried out counts once',
  async (_, status, outcome, open, carryOut) => {
    const { id } = await open(database.pool, merchant.sandbox.tenant, NOW);
    const attempt = await attemptOf(id);
    const before = await countOf(outcome);
    for (const _ of ['first', 'second']) {
      expect(await carryOut(contextOf(), attempt)).toMatchObject({ status });
    }
    expect((await countOf(outcome)) - before).toBe(1);
  },
);
