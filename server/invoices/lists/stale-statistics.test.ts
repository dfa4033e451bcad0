import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { cancelInvoice } from '../cancel.ts';
import { expireDueInvoices } from '../expire.ts';
import { transition } from '../transition.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DUE = 2_000;
const SET = 100;
const SINGLE = 20;

let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase(1);
  merchant = await createMerchantFixture(database.pool);
  await seed('later', 20_000, NOW.getTime() + HOUR_MS);
  await database.pool.query('VACUUM ANALYZE invoices');
  // PostgreSQL does not know of a sale that has just ended.
  await seed('due', DUE, NOW.getTime() - HOUR_MS);
});
afterAll(() => database.drop());

async function seed(name: string, count: number, endDateMs: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO invoices
       (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency, description,
        positions, success_url, error_url, callback_url, end_date, created_at, status_changed_at)
     SELECT 'inv_' || $2::text || n, $1, 'sandbox', $2::text || n, 1500, 'USD', 'Ticket', '[]',
            'http://localhost/s', 'http://localhost/e', 'http://localhost/c', $4::timestamptz,
            $5::timestamptz, $5::timestamptz
     FROM generate_series(1, $3::int) n`,
    [merchant.id, name, count, new Date(endDateMs), NOW],
  );
}

/** The entries of the due index read during the work. */
async function entriesRead(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await database.pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT idx_tup_read::int AS count FROM pg_stat_user_indexes WHERE indexrelname = 'invoices_due'`,
    );
    return rows[0]?.count ?? Number.NaN;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

const context = { now: NOW, actor: { type: 'clock' } as const };

test('one invoice is expired or cancelled without a look at the others that are due', async () => {
  const read = await entriesRead(async () => {
    for (let n = 1; n <= SINGLE; n++) {
      const target = { invoiceId: `inv_due${n}`, tenant: null };
      expect(
        await transition(database.pool, target, { trigger: 'expire' }, context),
      ).not.toBeNull();
      const { tenant } = merchant.sandbox;
      const canceled = await cancelInvoice(database.pool, tenant, `inv_later${n}`, context);
      expect(canceled.outcome).toBe('canceled');
    }
  });
  expect(read).toBe(0);
});

test('a set is read once, not once for each of its invoices', async () => {
  const read = await entriesRead(async () => {
    const { expired } = await expireDueInvoices(database.pool, { now: NOW, limit: SET });
    expect(expired).toBe(SET);
  });
  // Entries of invoices that have just become final still exist.
  expect(read).toBeLessThan(SET + SINGLE + 10);
});
