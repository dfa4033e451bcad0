import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { processWide } from '../lib/process-wide.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { booksDisagree, cardWith } from '../testing/payments.ts';
import { listAttempts } from './data.ts';
import { payInvoice, paymentsSettled } from './pay.ts';
import type { Authorisation } from './provider.ts';
import { SandboxAcquirer } from './providers/sandbox/sandbox.ts';

// The events during a payment that is under way in this process.

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

const create = () => createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW });
const pay = (invoiceId: string, waitMs = 10_000) =>
  payInvoice(database.pool, invoiceId, cardWith('4242424242424242'), {
    clock: () => NOW,
    actor: { type: 'buyer' },
    waitMs,
    onLateError: (error) => {
      throw error;
    },
  });

test('a process that is to end waits for the payment that nobody waits for, and keeps none that is over', async () => {
  const authorise = SandboxAcquirer.prototype.authorise;
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.spyOn(SandboxAcquirer.prototype, 'authorise').mockImplementation(async function (
    this: SandboxAcquirer,
    ...args
  ): Promise<Authorisation> {
    await asked;
    return authorise.apply(this, args);
  });
  const invoiceId = await create();
  expect(await pay(invoiceId, 1)).toMatchObject({ attempt: { status: 'authorising' } });

  let isOver = false;
  const settled = paymentsSettled().then(() => {
    isOver = true;
  });
  // A query takes longer than a promise that waits for nothing.
  expect(await listAttempts(database.pool, invoiceId)).toMatchObject([{ status: 'authorising' }]);
  expect(isOver).toBe(false);
  answer();
  await settled;
  expect(await listAttempts(database.pool, invoiceId)).toMatchObject([{ status: 'captured' }]);
  expect(processWide('payments', () => new Set()).size).toBe(0);
});

test('cancelled between the look at the invoice and the payment: said to be over, and no card is asked', async () => {
  const { pool } = database;
  const invoiceId = await create();
  const authorise = vi.spyOn(SandboxAcquirer.prototype, 'authorise');
  const query = pool.query.bind(pool) as (asked: unknown) => Promise<unknown>;
  vi.spyOn(pool, 'query').mockImplementation((async (asked: { name?: string }) => {
    if (asked.name === 'open_attempt') {
      const context = { actor: { type: 'api' } as const, now: NOW };
      await cancelInvoice(pool, merchant.sandbox.tenant, invoiceId, context);
    }
    return query(asked);
  }) as never);
  expect(await pay(invoiceId)).toEqual({ outcome: 'final', status: 'CANCELED' });
  expect(authorise).not.toHaveBeenCalled();
});
