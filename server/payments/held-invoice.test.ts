import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../db/pool.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '../testing/database/database.ts';
import { duringTransaction } from '../testing/database/during-transaction.ts';
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

const held = (invoiceId: string) => ({
  statement: 'SELECT FROM invoices WHERE id = $1 FOR UPDATE',
  values: [invoiceId],
});

test('an overdue one takes one connection, however many look at it', async () => {
  const { sandbox } = await createMerchantFixture(database.pool);
  const invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
  const serving = openPool(database.url, 3, PATIENT);
  const now = new Date(NOW.getTime() + 30 * 24 * 3_600_000);
  let refused = 0;
  const look = () =>
    readInvoiceForBuyer(serving, invoiceId, { now }).catch((error: unknown) => {
      refused += 1;
      throw error;
    });
  const waits =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  const { looks } = await duringTransaction(database.pool, held(invoiceId), async () => {
    const looking = Promise.allSettled(Array.from({ length: 12 }, look));
    // All processes have found by then that the invoice is overdue.
    await until(() => refused === 3);
    await until(async () => (await serving.query(waits)).rowCount === 1);
    expect((await serving.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    return { looks: looking };
  });
  const seen = (await looks).map((each) =>
    each.status === 'fulfilled' ? each.value?.status : each.reason.kind,
  );
  expect(seen.sort()).toEqual([
    ...new Array(9).fill('EXPIRED'),
    ...new Array(3).fill('unavailable'),
  ]);
  await serving.end();
});

test('an invoice whose row somebody holds takes one connection, however often it is paid for', async () => {
  const { sandbox } = await createMerchantFixture(database.pool);
  const invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
  const serving = openPool(database.url, 3, PATIENT);
  const pay = () =>
    payInvoice(serving, invoiceId, cardWith('4242424242424242'), {
      clock: () => NOW,
      actor: { type: 'buyer' },
      waitMs: 20_000,
      onLateError: () => undefined,
    });
  const { tries } = await duringTransaction(database.pool, held(invoiceId), async () => {
    const done: unknown[] = [];
    const paying = Array.from({ length: 12 }, async () => {
      const result = await pay();
      done.push(result);
      return result;
    });
    await until(() => done.length === 11);
    expect(done).toEqual(new Array(11).fill({ outcome: 'in_progress' }));
    expect((await serving.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
    return { tries: paying };
  });
  const outcomes = (await Promise.all(tries)).map(({ outcome }) => outcome).sort();
  expect(outcomes).toEqual(['attempted', ...new Array(11).fill('in_progress')]);
  expect(await pay()).toEqual({ outcome: 'final', status: 'PAID' });
  await serving.end();
});
