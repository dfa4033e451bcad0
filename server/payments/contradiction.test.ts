import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { claimedAttempt } from '../testing/cut-off-attempts.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { ledgerOf } from '../testing/payments.ts';
import { capture } from './advance.ts';
import { paymentContext } from './context.ts';
import { findAttempt } from './data.ts';
import { SandboxAcquirer } from './providers/sandbox/sandbox.ts';
import { recoverPayments } from './recover.ts';

// An acquirer that breaks its word.

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

async function claimed() {
  const { id } = await claimedAttempt(database.pool, merchant.sandbox.tenant, NOW);
  const attempt = await findAttempt(database.pool, id);
  if (!attempt) throw new Error('no attempt');
  return attempt;
}

const contextOf = () => {
  const actor = { type: 'buyer' } as const;
  return paymentContext(database.pool, { provider: 'sandbox', clock: () => NOW, actor });
};

const statusOf = async (id: string) => (await findAttempt(database.pool, id))?.status;

/** Runs recovery once, this many minutes later. */
const recover = (minutes: number) => {
  const now = new Date(NOW.getTime() + minutes * 60_000);
  return recoverPayments(database.pool, { clock: () => now, limit: 100 });
};

/** Captures twice: the answer "refused" is carried out first, "captured" comes afterwards. */
async function contradict(attempt: Awaited<ReturnType<typeof claimed>>): Promise<unknown> {
  const captures = vi.spyOn(SandboxAcquirer.prototype, 'capture');
  captures.mockResolvedValueOnce({ state: 'refused' });
  const voids = vi.spyOn(SandboxAcquirer.prototype, 'void').mockResolvedValueOnce();
  expect((await capture(contextOf(), attempt)).status).toBe('voided');
  voids.mockRestore();
  captures.mockRestore();
  return capture(contextOf(), attempt);
}

test('a capture that counts as refused is an error, and stays one while the money is taken', async () => {
  const attempt = await claimed();
  await expect(contradict(attempt)).rejects.toThrow(`${attempt.id} was captured but is voided`);
  expect(await ledgerOf(database.pool, attempt.invoiceId)).toEqual(['authorisation', 'capture']);
  for (const minutes of [1, 2, 3]) {
    expect(await recover(minutes)).toMatchObject({ recovered: 0, failed: 1 });
    expect(await statusOf(attempt.id)).toBe('voiding');
  }
  const invoice = await readInvoiceForBuyer(database.pool, attempt.invoiceId, { now: NOW });
  expect(invoice).toMatchObject({ status: 'PENDING', captureAttemptId: null });

  // The acquirer gives the money back, whether we asked for it or not.
  const voids = vi.spyOn(SandboxAcquirer.prototype, 'void').mockResolvedValueOnce();
  expect(await recover(4)).toMatchObject({ recovered: 1, failed: 0 });
  voids.mockRestore();
  expect(await statusOf(attempt.id)).toBe('voided');
});

test('a capture that comes to light while its void is asked for is not closed by that void', async () => {
  const attempt = await claimed();
  const captures = vi.spyOn(SandboxAcquirer.prototype, 'capture');
  captures.mockResolvedValueOnce({ state: 'refused' });
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const voids = vi.spyOn(SandboxAcquirer.prototype, 'void').mockReturnValueOnce(asked);
  const first = capture(contextOf(), attempt);
  await expect.poll(() => voids).toHaveBeenCalledOnce();
  const second = capture(contextOf(), attempt);
  await expect(second).rejects.toThrow(`${attempt.id} was captured but is voiding`);
  answer();
  expect((await first).status).toBe('voiding');
  expect(await recover(1)).toMatchObject({ recovered: 0, failed: 1 });
  expect(await statusOf(attempt.id)).toBe('voiding');
});
