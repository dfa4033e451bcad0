import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith, ledgerOf, RETURN_URL } from '../testing/payments.ts';
import { advance, capture } from './advance.ts';
import { paymentContext } from './context.ts';
import { findAttempt } from './data.ts';
import { claimCapture, markChallenge, openAttempt } from './mutations.ts';
import { SandboxAcquirer } from './providers/sandbox/sandbox.ts';
import { answerSandboxChallenge } from './providers/sandbox/sandbox-challenge.ts';
import { testCardFor } from './providers/sandbox/test-cards.ts';
import { setRecheck } from './rechecks.ts';
import { recoverPayments } from './recover.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const END_MS = Date.parse('2026-11-21T13:00:00.000Z');
const MINUTE_LATER = new Date(NOW.getTime() + 60_000);

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const recover = (now = MINUTE_LATER) =>
  recoverPayments(database.pool, { clock: () => now, limit: 100 });
const statusOf = async (id: string) =>
  (await readInvoiceForBuyer(database.pool, id, { now: NOW }))?.status;

/** An attempt whose process died right after opening it. */
async function orphan(now = NOW): Promise<{ invoiceId: string; attemptId: string }> {
  const invoiceId = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now });
  const attemptId = newId('pay', now.getTime());
  const attempt = { id: attemptId, invoiceId, provider: 'sandbox' } as const;
  await openAttempt(database.pool, { ...attempt, cardBrand: 'visa', cardLast4: '4242' }, now);
  return { invoiceId, attemptId };
}

async function authorise(
  attemptId: string,
  outcome: 'approved' | 'challenge_approved',
  answersAt = NOW,
) {
  const acquirer = new SandboxAcquirer(database.pool);
  const request = { idempotencyKey: attemptId, amountMinor: 1500n, currency: 'USD' } as const;
  const card = cardWith(testCardFor(outcome).number);
  const answer = await acquirer.authorise({ ...request, card, returnUrl: RETURN_URL }, answersAt);
  if (answer.state !== 'approved' && answer.state !== 'challenge') throw new Error(answer.state);
  return { acquirer, authorisationId: answer.authorisationId };
}

/** An attempt whose process died right after claiming its capture. */
async function claimed() {
  const { invoiceId, attemptId } = await orphan();
  const { authorisationId } = await authorise(attemptId, 'approved');
  await claimCapture(database.pool, attemptId, authorisationId, NOW);
  const attempt = await findAttempt(database.pool, attemptId);
  if (!attempt) throw new Error('no attempt');
  return { invoiceId, attempt };
}

async function toldOf(invoiceId: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'SELECT invoice_status FROM callbacks WHERE invoice_id = $1',
    [invoiceId],
  );
  return rows;
}

const contextAt = (now: Date) =>
  paymentContext(database.pool, {
    provider: 'sandbox',
    clock: () => now,
    actor: { type: 'buyer' },
  });

describe('a process that died', () => {
  test('before the acquirer heard of it: failed, nothing charged, the invoice stays payable', async () => {
    const { invoiceId, attemptId } = await orphan();
    await recover();
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'failed' });
    expect(await statusOf(invoiceId)).toBe('PENDING');
  });

  test('after the authorisation: recovery captures and the invoice is PAID', async () => {
    const { invoiceId, attemptId } = await orphan();
    await authorise(attemptId, 'approved');
    await recover();
    expect(await statusOf(invoiceId)).toBe('PAID');
    expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'capture']);
  });

  test('while the acquirer is still at work: not given up as lost, and captured when it has answered', async () => {
    const { invoiceId, attemptId } = await orphan();
    await authorise(attemptId, 'approved', MINUTE_LATER);
    const justBefore = new Date(MINUTE_LATER.getTime() - 1);
    await recover(justBefore);
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'authorising' });
    await recover(new Date(justBefore.getTime() + 10_000));
    expect(await statusOf(invoiceId)).toBe('PAID');
  });

  test('after the authorisation, and recovery comes to it after the end: nothing is charged', async () => {
    const { invoiceId, attemptId } = await orphan();
    await authorise(attemptId, 'approved');
    // The run began in time and was delayed.
    let looks = 0;
    const clock = () => (looks++ === 0 ? MINUTE_LATER : new Date(END_MS + 1));
    await recoverPayments(database.pool, { clock, limit: 100 });
    expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
    expect(await statusOf(invoiceId)).toBe('PENDING');
  });

  test('after the claim: cancel and expiry wait, recovery captures', async () => {
    const { invoiceId } = await claimed();
    const actor = { type: 'api' } as const;
    const cancel = await cancelInvoice(database.pool, merchant.sandbox.tenant, invoiceId, {
      actor,
      now: NOW,
    });
    expect(cancel.outcome).toBe('payment_in_progress');
    const late = { now: new Date(END_MS + 1), limit: 1_000 };
    await expireDueInvoices(database.pool, late);
    await recover(late.now);
    expect(await statusOf(invoiceId)).toBe('PAID');
  });

  test('after the capture, before PAID was written: PAID with that one capture', async () => {
    const { invoiceId, attemptId } = await orphan();
    const { acquirer, authorisationId } = await authorise(attemptId, 'approved');
    await claimCapture(database.pool, attemptId, authorisationId, NOW);
    await acquirer.capture({ authorisationId }, NOW);
    expect(await statusOf(invoiceId)).toBe('PENDING');
    await Promise.all([recover(), recover(), recover()]);
    expect(await statusOf(invoiceId)).toBe('PAID');
    expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'capture']);
  });

  test('after the claim was lost: recovery voids', async () => {
    const { invoiceId, attemptId } = await orphan();
    const { authorisationId } = await authorise(attemptId, 'approved');
    const actor = { type: 'api' } as const;
    await cancelInvoice(database.pool, merchant.sandbox.tenant, invoiceId, { actor, now: NOW });
    expect(await claimCapture(database.pool, attemptId, authorisationId, NOW)).toBe('voiding');
    await recover();
    expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'voided' });
  });

  test('an approval that comes after the attempt was given up as lost is voided', async () => {
    const { invoiceId, attemptId } = await orphan();
    await recover();
    const { authorisationId } = await authorise(attemptId, 'approved');
    await advance(contextAt(NOW), attemptId, { state: 'approved', authorisationId });
    expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
    expect(await statusOf(invoiceId)).toBe('PENDING');
  });
});

test('an authorisation that arrived after its attempt was given up, and whose process died, is voided', async () => {
  const { invoiceId, attemptId } = await orphan();
  await recover();
  await authorise(attemptId, 'approved');
  const tenMinutesLater = new Date(MINUTE_LATER.getTime() + 10 * 60_000);
  await recover(tenMinutesLater);
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
  await recover(new Date(tenMinutesLater.getTime() + 3_600_000));
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
});

test('a challenge that arrived after its attempt was given up is withdrawn, and looked at once more', async () => {
  const { invoiceId, attemptId } = await orphan();
  await recover();
  const { acquirer, authorisationId } = await authorise(attemptId, 'challenge_approved');
  const after = (minutes: number) => new Date(MINUTE_LATER.getTime() + minutes * 60_000);
  await recover(after(10));
  expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'abandoned' });
  expect(await acquirer.answerChallenge(authorisationId, 'approve', NOW)).toBe(false);
  const looks = vi.spyOn(SandboxAcquirer.prototype, 'lookup');
  for (const minutes of [20, 30, 40]) await recover(after(minutes));
  expect(looks.mock.calls.filter(([{ id }]) => id === attemptId)).toHaveLength(1);
  looks.mockRestore();
  expect(await ledgerOf(database.pool, invoiceId)).toEqual([]);
});

test('one that the acquirer has not answered when recovery looks is voided when it has', async () => {
  const { invoiceId, attemptId } = await orphan();
  await recover();
  const look = new Date(MINUTE_LATER.getTime() + 10 * 60_000);
  await authorise(attemptId, 'approved', new Date(look.getTime() + 30_000));
  await recover(look);
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation']);
  await recover(new Date(look.getTime() + 30_000));
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'void']);
  expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'voided' });
});

test('a capture whose invoice nobody may pay any more is an error: not PAID, no callback, tried again', async () => {
  const { invoiceId, attempt } = await claimed();
  const claim = (by: string | null) =>
    database.pool.query('UPDATE invoices SET capture_attempt_id = $2 WHERE id = $1', [
      invoiceId,
      by,
    ]);
  await claim(null);
  await expect(capture(contextAt(NOW), attempt)).rejects.toThrow('captured but is not payable');
  expect((await recover()).failed).toBe(1);
  expect(await toldOf(invoiceId)).toEqual([]);
  expect(await statusOf(invoiceId)).toBe('PENDING');
  expect(await findAttempt(database.pool, attempt.id)).toMatchObject({ status: 'capturing' });
  // The money is with the acquirer: nothing may forget it.
  await claim(attempt.id);
  await recover(new Date(MINUTE_LATER.getTime() + 60_000));
  expect(await toldOf(invoiceId)).toEqual([{ invoice_status: 'PAID' }]);
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'capture']);
});

test('a capture that cannot be saved: not PAID, no callback, tried again', async () => {
  const { invoiceId, attempt } = await claimed();
  // The commit is refused, after everything has been written.
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'refused'; END$$;
    CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON payment_attempts
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
      WHEN (NEW.status = 'captured') EXECUTE FUNCTION refuse()`);
  await expect(capture(contextAt(NOW), attempt)).rejects.toThrow('refused');
  await database.pool.query('DROP FUNCTION refuse CASCADE');
  expect(await statusOf(invoiceId)).toBe('PENDING');
  expect(await toldOf(invoiceId)).toEqual([]);
  await recover();
  expect(await statusOf(invoiceId)).toBe('PAID');
  expect(await toldOf(invoiceId)).toEqual([{ invoice_status: 'PAID' }]);
});

test('a process that was only slow captures once more after recovery, and nothing changes', async () => {
  const { invoiceId, attempt } = await claimed();
  await recover();
  expect(await capture(contextAt(MINUTE_LATER), attempt)).toMatchObject({ status: 'captured' });
  expect(await toldOf(invoiceId)).toEqual([{ invoice_status: 'PAID' }]);
  expect(await ledgerOf(database.pool, invoiceId)).toEqual(['authorisation', 'capture']);
});

describe('a challenge that nobody comes back to', () => {
  test('is given up after a quarter of an hour', async () => {
    const { invoiceId, attemptId } = await orphan();
    const { authorisationId } = await authorise(attemptId, 'challenge_approved');
    await markChallenge(database.pool, attemptId, { authorisationId, challengeUrl: null }, NOW);
    await recover(new Date(NOW.getTime() + 14 * 60_000));
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'challenge' });
    await recover(new Date(NOW.getTime() + 15 * 60_000));
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'abandoned' });
    expect(await statusOf(invoiceId)).toBe('PENDING');
  });

  test('approved, and the process died before the claim: paid within seconds', async () => {
    const { invoiceId, attemptId } = await orphan();
    const { authorisationId } = await authorise(attemptId, 'challenge_approved');
    await markChallenge(database.pool, attemptId, { authorisationId, challengeUrl: null }, NOW);
    // The process dies once the acquirer has been told, before it learns the result.
    const lookup = vi.spyOn(SandboxAcquirer.prototype, 'lookup');
    lookup.mockRejectedValueOnce(new Error('died'));
    const answer = { invoiceId, attemptId, answer: 'approve' } as const;
    const { clock, actor } = contextAt(NOW);
    await expect(answerSandboxChallenge(database.pool, answer, { clock, actor })).rejects.toThrow(
      'died',
    );
    lookup.mockRestore();
    await recover(new Date(NOW.getTime() + 10_000));
    expect(await statusOf(invoiceId)).toBe('PAID');
  });

  test('is still open when recovery looks before its time, and ends when it is over', async () => {
    const { attemptId } = await orphan();
    const { authorisationId } = await authorise(attemptId, 'challenge_approved');
    await markChallenge(database.pool, attemptId, { authorisationId, challengeUrl: null }, NOW);
    const attempt = await findAttempt(database.pool, attemptId);
    if (!attempt) throw new Error('no attempt');
    await setRecheck(database.pool, attempt, 'lease', NOW);
    await recover(new Date(NOW.getTime() + 10_000));
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'challenge' });
    await recover(new Date(NOW.getTime() + 15 * 60_000));
    expect(await findAttempt(database.pool, attemptId)).toMatchObject({ status: 'abandoned' });
  });

  test('whose answer reached the acquirer only is taken to its end', async () => {
    const { invoiceId, attemptId } = await orphan();
    const { acquirer, authorisationId } = await authorise(attemptId, 'challenge_approved');
    await markChallenge(database.pool, attemptId, { authorisationId, challengeUrl: null }, NOW);
    await acquirer.answerChallenge(authorisationId, 'approve', NOW);
    await recover(new Date(NOW.getTime() + 15 * 60_000));
    expect(await statusOf(invoiceId)).toBe('PAID');
  });
});

test('one attempt that cannot be recovered holds up no other', async () => {
  const { attemptId: broken } = await orphan();
  await database.pool.query("UPDATE payment_attempts SET provider = 'gone' WHERE id = $1", [
    broken,
  ]);
  const { invoiceId, attemptId } = await orphan();
  await authorise(attemptId, 'approved');
  const { failed } = await recover();
  expect(failed).toBe(1);
  expect(await statusOf(invoiceId)).toBe('PAID');
});
