import { afterAll, beforeAll, expect, it } from 'vitest';
import { planInOrder } from '../../db/index-plans.ts';
import { inTransaction } from '../../db/pool.ts';
import { idBefore } from '../../lib/ids.ts';
import type { Currency } from '../../lib/money.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { explained, type Plan } from '../../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { NO_RECORD_FILTERS, writeInvoices } from '../../testing/invoices.ts';
import type { InvoiceStatus, RecordFilters } from '../types.ts';
import { type ListRequest, listQuery } from './record-list.ts';

// PostgreSQL makes these plans for any size of the table: a page costs what it shows, at five
// million invoices as here.

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const COUNT = 12_000;
const LIMIT = 50;
/** A page has sixteen parts, one for each status and currency. */
const MOST_READ = 16 * (LIMIT + 1);
const CASES: Record<string, Partial<RecordFilters>> = {
  'no filter': {},
  'a common status': { status: 'PAID' },
  'a rare status': { status: 'CANCELED' },
  pending: { status: 'PENDING' },
  'pending in a currency that none has': { status: 'PENDING', currency: 'USD' },
  'a common currency': { currency: 'UZS' },
  'a rare currency': { currency: 'USD' },
  'a status and a currency': { status: 'EXPIRED', currency: 'USD' },
  'the time of creation': {
    createdFromMs: NOW_MS - 60 * HOUR_MS,
    createdToMs: NOW_MS - 9 * HOUR_MS,
  },
  'the time of payment': { paidFromMs: NOW_MS - 60 * HOUR_MS, paidToMs: NOW_MS - 9 * HOUR_MS },
  'a currency and the time of payment': { currency: 'USD', paidFromMs: 0 },
};

let database: TestDatabase;
let merchant: MerchantFixture;

const createdAtMs = (n: number) => NOW_MS - (COUNT - n) * 60_000;
const idOf = (n: number) => idBefore('inv', createdAtMs(n)).padEnd(39, '0');

/** One in a hundred is in US dollars, one in fifty is CANCELED; the newest are neither. */
function written(n: number) {
  const isOld = n < COUNT / 2;
  const rare: { [rest: number]: InvoiceStatus } = { 3: 'CANCELED', 4: 'PENDING' };
  const status = (isOld && rare[n % 50]) || (n % 3 === 0 ? 'EXPIRED' : 'PAID');
  const currency: Currency = isOld && n % 100 === 7 ? 'USD' : 'UZS';
  return {
    id: idOf(n),
    createdAtMs: createdAtMs(n),
    changedAtMs: createdAtMs(n),
    status,
    currency,
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  const rows = Array.from({ length: COUNT }, (_, n) => written(n));
  await writeInvoices(database.pool, merchant.sandbox.tenant, rows);
}, 60_000);
afterAll(() => database.drop());

async function rowsRead(request: ListRequest): Promise<Plan[]> {
  const reads: Plan[] = [];
  const { tenant } = merchant.sandbox;
  await inTransaction(database.pool, async (db) => {
    await planInOrder(db);
    await explained(db as unknown as TestDatabase['pool'], reads).query(listQuery(tenant, request));
  });
  return reads;
}

const readOf = (plan: Plan) =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];

it.each(Object.entries(CASES))(
  'a page reads only what it shows, by an index: %s',
  async (_, given) => {
    for (const statistics of ['none yet', 'now']) {
      if (statistics === 'now') await database.pool.query('ANALYZE invoices');
      const filters = { ...NO_RECORD_FILTERS, ...given };
      const reads = await rowsRead({ filters, limit: LIMIT, after: null });
      expect(reads.length).toBeGreaterThan(1);
      for (const read of reads) {
        expect([statistics, read['Node Type']]).toEqual([
          statistics,
          expect.stringMatching(/^Index/),
        ]);
        expect(readOf(read)).toBeLessThanOrEqual(MOST_READ);
      }
    }
  },
);

it('the last page costs no more than the first', async () => {
  const [id, paidAtMs] = [idOf(100), createdAtMs(100)];
  const byPayment = { ...NO_RECORD_FILTERS, paidFromMs: 0 };
  for (const request of [
    { filters: NO_RECORD_FILTERS, limit: LIMIT, after: { id, paidAtMs: null } },
    { filters: byPayment, limit: LIMIT, after: { id, paidAtMs } },
  ]) {
    for (const read of await rowsRead(request)) expect(readOf(read)).toBeLessThanOrEqual(MOST_READ);
  }
});
