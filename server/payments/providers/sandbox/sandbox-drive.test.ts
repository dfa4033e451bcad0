import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import type { Environment } from '../../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { booksDisagree, cardWith } from '../../../testing/payments.ts';
import { payInvoice } from '../../pay.ts';
import { payInSandbox } from './sandbox-drive.ts';
import { type SandboxOutcome, TEST_CARDS } from './test-cards.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const create = () => createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });

const drive = (
  invoiceId: string,
  outcome: SandboxOutcome,
  by = merchant,
  environment: Environment = 'sandbox',
) =>
  payInSandbox(database.pool, by[environment].tenant, invoiceId, {
    outcome,
    clock: () => NOW,
    actor: { type: 'test', requestId: 'r1' },
    onLateError: (error) => {
      throw error;
    },
  });

async function statusOf(invoiceId: string) {
  return (await readInvoiceForBuyer(database.pool, invoiceId, { now: NOW }))?.status;
}

test.each(
  TEST_CARDS.filter(({ outcome }) => outcome !== 'slow_approved').map(({ outcome }) => outcome),
)('%s ends as its card does', async (outcome) => {
  const id = await create();
  const approved = ['approved', 'challenge_approved'].includes(outcome);
  const answer = await drive(id, outcome);
  expect(answer.outcome).toBe(approved ? 'paid' : 'declined');
  expect(await statusOf(id)).toBe(approved ? 'PAID' : 'PENDING');
  // The documentation says this of the cards.
  const declineReason = outcome === 'challenge_failed' ? 'authentication_failed' : outcome;
  if (!approved) expect(answer).toMatchObject({ declineReason });
});

test('a PAID invoice is final', async () => {
  const id = await create();
  await drive(id, 'approved');
  expect(await drive(id, 'approved')).toMatchObject({ outcome: 'final', status: 'PAID' });
});

test('nothing of production is paid on demand', async () => {
  const id = await createTestInvoice(database.pool, merchant.production.tenant, { now: NOW });
  await expect(drive(id, 'approved', merchant, 'production')).rejects.toThrow('only sandbox');
  expect(await statusOf(id)).toBe('PENDING');
});

test('a challenge that is superseded while it is answered is told as over, not as still to come', async () => {
  const id = await create();
  const { pool } = database;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  const asked = vi.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
    const result = await query(...args);
    if ((args[0] as { name?: string }).name === 'sandbox_lookup') {
      asked.mockRestore();
      // Another tab pays after the acquirer has told of the approval and before it counts.
      await payInvoice(pool, id, cardWith('4000000000000002'), {
        clock: () => NOW,
        actor: { type: 'buyer' },
        waitMs: 5_000,
        onLateError: () => undefined,
      });
    }
    return result;
  }) as never);
  const answer = await drive(id, 'challenge_approved');
  expect(answer).toMatchObject({ outcome: 'declined', declineReason: 'challenge_abandoned' });
});

test('by another merchant it is not found and stays PENDING', async () => {
  const id = await create();
  const other = await createMerchantFixture(database.pool);
  expect(await drive(id, 'approved', other)).toEqual({ outcome: 'not_found' });
  expect(await statusOf(id)).toBe('PENDING');
});
