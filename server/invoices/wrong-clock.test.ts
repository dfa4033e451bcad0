import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { measureClock } from '../db/clock-offset.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { setClock, wall } from '../testing/wall-clock.ts';
import { cancelInvoice } from './cancel.ts';
import { epochMs } from './columns.ts';
import { readInvoiceForBuyer, readStatus } from './data.ts';
import { readInvoiceDetail } from './detail.ts';
import { transition } from './transition.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await measure();
});
afterAll(() => database.drop());

const goAhead = async () => setClock(HOUR_MS);
const measure = async () => void (await measureClock(database.pool));

/** An invoice that ends in half an hour by this process's clock, read in every way. */
async function read(id: string): Promise<(string | undefined)[]> {
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  const now = new Date(Date.now());
  return [
    (await readStatus(pool, tenant, { invoiceId: id }, { now }))?.status,
    (await readInvoiceForBuyer(pool, id, { now }))?.status,
    (await readInvoiceDetail(pool, tenant, id, { now }))?.invoice.status,
  ];
}

async function writtenFor(id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM invoice_events WHERE invoice_id = $1) AS events,
            (SELECT count(*)::int FROM callbacks WHERE invoice_id = $1) AS callbacks`,
    [id],
  );
  return rows[0];
}

test.each([
  ['measured so', [goAhead, measure]],
  ['set since it was measured', [measure, goAhead]],
])('where the clock is an hour ahead, %s, a read ends no invoice', async (_, steps) => {
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: new Date(wall()),
    endDateMs: wall() + HOUR_MS / 2,
  });
  for (const step of steps) await step();
  expect(await read(id)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  expect(await writtenFor(id)).toEqual({ events: 0, callbacks: 0 });
});

test('where the clock is an hour ahead, cancelling says that it cannot, not that somebody pays', async () => {
  const { tenant } = merchant.sandbox;
  const id = await createTestInvoice(database.pool, tenant, {
    now: new Date(wall()),
    endDateMs: wall() + HOUR_MS / 2,
  });
  await goAhead();
  await measure();
  const cancel = () =>
    cancelInvoice(database.pool, tenant, id, { actor: { type: 'api' }, now: new Date(Date.now()) });
  await expect(cancel()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await writtenFor(id)).toEqual({ events: 0, callbacks: 0 });
  setClock(0);
  expect(await cancel()).toMatchObject({ outcome: 'canceled' });
});

test('once the clock is right again, a read ends what is past its end', async () => {
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
    now: new Date(wall()),
    endDateMs: wall() - 1,
  });
  await goAhead();
  await measure();
  expect(await read(id)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  setClock(0);
  expect(await read(id)).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED']);
  expect(await writtenFor(id)).toEqual({ events: 1, callbacks: 1 });
});

test.each([
  [
    'the sandbox’s test endpoint',
    (id: string, now: Date) =>
      transition(
        database.pool,
        { invoiceId: id, tenant: merchant.sandbox.tenant },
        { trigger: 'expire', beforeEnd: true },
        { actor: { type: 'api' }, now },
      ),
  ],
  [
    'cancelling',
    (id: string, now: Date) =>
      cancelInvoice(database.pool, merchant.sandbox.tenant, id, { actor: { type: 'api' }, now }),
  ],
])(
  'nothing says that it changed before it was made, where that clock was ahead: %s',
  async (_, end) => {
    const now = new Date(wall());
    const madeMs = now.getTime() + 4_000;
    const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, {
      now: new Date(madeMs),
    });
    await end(id, now);
    const { rows } = await database.pool.query(
      `SELECT convert_from(c.body, 'UTF8')::jsonb -> 'updated_at' AS told, c.next_attempt_at <= $2 AS "isDue",
            (SELECT array_agg(${epochMs('e.at')}) FROM invoice_events e WHERE e.invoice_id = c.invoice_id) AS events
     FROM callbacks c WHERE c.invoice_id = $1`,
      [id, now.toISOString()],
    );
    expect(rows).toEqual([{ told: madeMs, isDue: true, events: [madeMs] }]);
  },
);
