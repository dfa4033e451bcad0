import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool, SERVING } from '../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
import { payInvoice } from './pay.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

test('an invoice whose row somebody holds takes one connection, however often it is paid for', async () => {
  const { sandbox } = await createMerchantFixture(database.pool);
  const invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
  const serving = openPool(database.url, 3, SERVING);
  const pay = () =>
    payInvoice(serving, invoiceId, cardWith('4242424242424242'), {
      clock: () => NOW,
      actor: { type: 'buyer' },
      waitMs: 5_000,
      onLateError: () => undefined,
    });
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM invoices WHERE id = $1 FOR UPDATE', [invoiceId]);
  const tries = Array.from({ length: 12 }, pay);
  const first = await Promise.race(tries);
  expect(first).toEqual({ outcome: 'in_progress' });
  expect((await serving.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  await holder.query('ROLLBACK');
  holder.release();
  const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome).sort();
  expect(outcomes).toEqual(['attempted', ...new Array(11).fill('in_progress')]);
  expect(await pay()).toEqual({ outcome: 'final', status: 'PAID' });
  await serving.end();
});
