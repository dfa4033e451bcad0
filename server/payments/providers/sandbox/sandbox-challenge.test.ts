import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readClockOffset } from '../../../db/clock-offset.ts';
import { readInvoiceForBuyer } from '../../../invoices/data.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../../testing/factories.ts';
import { createTestInvoice } from '../../../testing/invoices.ts';
import { booksDisagree, cardWith } from '../../../testing/payments.ts';
import { setClock, wall } from '../../../testing/wall-clock.ts';
import { payInvoice } from '../../pay.ts';
import { answerSandboxChallenge } from './sandbox-challenge.ts';

const HOUR_MS = 3_600_000;
const CHALLENGED = '4000000000003220';
const actor = { type: 'buyer' } as const;
const clock = () => new Date(Date.now());

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await readClockOffset(database.pool);
});
afterAll(async () => {
  expect(await booksDisagree(database.pool)).toEqual([]);
  await database.drop();
});

test.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('an approved challenge is paid at once at a web an hour %s', async (_, aheadMs) => {
  const { pool } = database;
  const now = new Date(wall());
  const endDateMs = wall() + HOUR_MS / 2;
  const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now, endDateMs });
  const paid = await payInvoice(pool, invoiceId, cardWith(CHALLENGED), {
    clock,
    actor,
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  if (paid.outcome !== 'attempted') throw new Error(paid.outcome);
  expect(paid.attempt.status).toBe('challenge');
  setClock(aheadMs);
  await readClockOffset(pool);
  const challenge = { invoiceId, attemptId: paid.attempt.id, answer: 'approve' } as const;
  const after = await answerSandboxChallenge(pool, challenge, { clock, actor });
  expect(after).toMatchObject({ status: 'captured' });
  expect(await readInvoiceForBuyer(pool, invoiceId, { now })).toMatchObject({ status: 'PAID' });
});
