import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool, SERVING } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '../testing/database/database.ts';
import { duringTransaction } from '../testing/database/during-transaction.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice, hashesOf, newInvoice } from '../testing/invoices.ts';
import type { CreateCommand } from './create.ts';
import { expireDueInvoices } from './expire.ts';
import { coalescedInvoices, type MerchantInvoices } from './merchant-invoices.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const AFTER_END = new Date(newInvoice().endDateMs + 1);

let database: TestDatabase;
/** The pool is like a serving process's: no wait for a lock is endless. */
let pool: ReturnType<typeof openPool>;
let invoices: MerchantInvoices;
let tenants: Tenant[];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, 6, PATIENT);
  invoices = coalescedInvoices(pool);
  const merchants = [
    await createMerchantFixture(database.pool),
    await createMerchantFixture(database.pool),
  ];
  tenants = merchants.map(({ sandbox }) => sandbox.tenant);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Alternates between the first and the second merchant. */
const tenantOf = (index: number): Tenant => tenants[index % 2] as Tenant;

const threeInvoices = () =>
  Promise.all([0, 1, 2].map((nth) => createTestInvoice(pool, tenantOf(nth), { now: NOW })));

const during = <T>(statement: string, values: unknown[], work: () => Promise<T>): Promise<T> =>
  duringTransaction(database.pool, { statement, values }, work);

const LOCK = 'SELECT FROM invoices WHERE id = $1 FOR UPDATE';

/** The results of changes that come with a locked one, during the lock and after it. */
async function beside<T>(
  held: { by: string; values: unknown[] },
  start: () => Promise<T>[],
): Promise<{ first: T | undefined; others: T[] }> {
  const [first, others] = await during(held.by, held.values, async () => {
    const [one, ...free] = start();
    return [one, await Promise.all(free)] as const;
  });
  return { first: await first, others };
}

describe('of a batch with a row that somebody holds the others are done meanwhile, and it after', () => {
  test('when it is cancelled', async () => {
    const ids = await threeInvoices();
    const { first, others } = await beside({ by: LOCK, values: [ids[0]] }, () =>
      ids.map((id, nth) =>
        invoices.cancel(tenantOf(nth), id, { now: NOW, actor: { type: 'api' } }),
      ),
    );
    expect(others).toMatchObject([{ outcome: 'canceled' }, { outcome: 'canceled' }]);
    expect(first).toMatchObject({ outcome: 'canceled', isNew: true });
  });

  test('when reading it ends it', async () => {
    const ids = await threeInvoices();
    const { first, others } = await beside({ by: LOCK, values: [ids[0]] }, () =>
      ids.map((id, nth) =>
        invoices.readStatus(tenantOf(nth), { invoiceId: id }, { now: AFTER_END }),
      ),
    );
    expect(others).toMatchObject([{ status: 'EXPIRED' }, { status: 'EXPIRED' }]);
    expect(first).toMatchObject({ status: 'EXPIRED' });
  });

  test.each([
    ['without keys', () => null],
    ['with keys', (nth: number) => `key ${nth}`],
  ])('when it is created, %s', async (words, keyOf) => {
    const commands = [0, 1, 2].map((nth): CreateCommand => {
      const key = keyOf(nth);
      const kept = { ...hashesOf('same'), responseBody: Buffer.from('answer') };
      return {
        id: newId('inv', NOW.getTime()),
        createdAt: NOW,
        requestId: null,
        invoice: newInvoice({ merchantTransactionId: `held ${words} ${nth}` }),
        idempotency: key === null ? null : { key, ...kept },
      };
    });
    const by = `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id,
        amount_minor, currency, description, positions, success_url, error_url, callback_url,
        end_date, created_at, status_changed_at)
      VALUES ($1, $2, 'sandbox', $3, 1, 'USD', '', '[]', '', '', '', $4, $4, $4)`;
    const values = [newId('inv', 0), tenantOf(0).merchantId, `held ${words} 0`, NOW];
    const { first, others } = await beside({ by, values }, () =>
      commands.map((command, nth) => invoices.create(tenantOf(nth), command)),
    );
    expect(others).toEqual([{ outcome: 'created' }, { outcome: 'created' }]);
    expect(first).toEqual({ outcome: 'created' });
  });
});

/** Whether this many statements wait for a lock. */
const areWaiting = async (count: number) => {
  const { rowCount } = await database.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount === count;
};

test('those that came alone for rows that are held do not hold up who comes after them', async () => {
  const ids = await threeInvoices();
  const cancel = (nth: number) =>
    invoices.cancel(tenantOf(nth), ids[nth] ?? '', { now: NOW, actor: { type: 'api' } });
  const lock = 'SELECT FROM invoices WHERE id IN ($1, $2) FOR UPDATE';
  const [held, later] = await during(lock, ids.slice(0, 2), async () => {
    const waiting = [cancel(0)];
    await until(() => areWaiting(1));
    waiting.push(cancel(1));
    await until(() => areWaiting(2));
    return [waiting, await cancel(2)] as const;
  });
  expect(later).toMatchObject({ outcome: 'canceled' });
  const canceled = { outcome: 'canceled', isNew: true };
  expect(await Promise.all(held)).toMatchObject([canceled, canceled]);
});

test('a merchant who asks on and on for a row that is held takes nothing from the others', async () => {
  const [held, free, other] = (await threeInvoices()) as [string, string, string];
  const cancel = (id: string, nth: number) =>
    invoices.cancel(tenantOf(nth), id, { now: NOW, actor: { type: 'api' } });
  const { asked, later } = await during(LOCK, [held], async () => {
    const waiting = [cancel(held, 0)];
    await until(() => areWaiting(1));
    waiting.push(cancel(held, 0));
    await until(() => areWaiting(2));
    for (let again = 0; again < 6; again++) {
      waiting.push(cancel(held, 0));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { asked: waiting, later: await cancel(free, 1) };
  });
  expect(later).toMatchObject({ outcome: 'canceled' });
  const outcomes = (await Promise.all(asked)).map((each) => 'isNew' in each && each.isNew);
  expect(outcomes.filter(Boolean)).toEqual([true]);
  expect(await cancel(other, 0)).toMatchObject({ outcome: 'canceled' });
});

test('nor from that merchant’s own other invoices', async () => {
  const [held] = (await threeInvoices()) as [string, string, string];
  const others = await Promise.all(
    [1, 2, 3].map(() => createTestInvoice(pool, tenantOf(0), { now: NOW })),
  );
  const cancel = (id: string) =>
    invoices.cancel(tenantOf(0), id, { now: NOW, actor: { type: 'api' } });
  const asked = await during(LOCK, [held], async () => {
    const waiting = [cancel(held)];
    await until(() => areWaiting(1));
    waiting.push(cancel(held));
    await until(() => areWaiting(2));
    for (const id of others) {
      waiting.push(cancel(held));
      expect(await cancel(id)).toMatchObject({ outcome: 'canceled' });
    }
    return waiting;
  });
  const outcomes = (await Promise.all(asked)).map((each) => 'isNew' in each && each.isNew);
  expect(outcomes.filter(Boolean)).toEqual([true]);
});

test('an invoice ends and tells its merchant while somebody holds that merchant’s row', async () => {
  const [canceled, , expired] = (await threeInvoices()) as [string, string, string];
  const tenant = tenantOf(0);
  const lock = 'SELECT FROM merchants WHERE id = $1 FOR UPDATE';
  await during(lock, [tenant.merchantId], async () => {
    const context = { now: NOW, actor: { type: 'api' } as const };
    expect(await invoices.cancel(tenant, canceled, context)).toMatchObject({ isNew: true });
    await expireDueInvoices(pool, { now: AFTER_END, limit: 1_000 });
  });
  const text =
    'SELECT invoice_status FROM callbacks WHERE invoice_id = ANY ($1) ORDER BY array_position($1, invoice_id)';
  const { rows } = await database.pool.query(text, [[canceled, expired]]);
  expect(rows).toEqual([{ invoice_status: 'CANCELED' }, { invoice_status: 'EXPIRED' }]);
});

test('a connection waits for locks as before after the statement of a batch', async () => {
  const single = openPool(database.url, 1, SERVING);
  const ids = await threeInvoices();
  const own = coalescedInvoices(single);
  const context = { now: NOW, actor: { type: 'api' } as const };
  await Promise.all(ids.map((id, nth) => own.cancel(tenantOf(nth), id, context)));
  expect((await single.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '3s' }]);
  await single.end();
});
