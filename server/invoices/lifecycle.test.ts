import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metrics } from '../observability/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cancelInvoice } from './cancel.ts';
import { readInvoiceForBuyer, readStatus } from './data.ts';
import { expireDueInvoices, expireInvoiceNow } from './expire.ts';
import { transition, transitionMany } from './transition.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const END_MS = Date.parse('2026-11-21T13:00:00.000Z');
const at = (timeMs: number) => ({ now: new Date(timeMs), actor: { type: 'api' } as const });

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const create = (overrides = {}) =>
  createTestInvoice(database.pool, merchant.sandbox.tenant, { now: NOW, ...overrides });

async function callbackOf(invoiceId: string) {
  const { rows } = await database.pool.query<{ body: Buffer; host: string; url: string }>(
    'SELECT body, host, url FROM callbacks WHERE invoice_id = $1',
    [invoiceId],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0] ?? null;
}

describe('cancelling', () => {
  test('a PENDING invoice becomes CANCELED with history and one callback', async () => {
    const id = await create();
    const answer = await cancelInvoice(database.pool, merchant.sandbox.tenant, id, at(END_MS));
    expect(answer).toEqual({
      outcome: 'canceled',
      isNew: true,
      view: { invoiceId: id, status: 'CANCELED', endDateMs: END_MS },
    });
    const { rows } = await database.pool.query(
      'SELECT from_status, to_status, actor_type FROM invoice_events WHERE invoice_id = $1',
      [id],
    );
    expect(rows).toEqual([{ from_status: 'PENDING', to_status: 'CANCELED', actor_type: 'api' }]);
    expect(await callbackOf(id)).not.toBeNull();
  });

  test('a second cancel answers CANCELED and writes nothing', async () => {
    const id = await create();
    const { tenant } = merchant.sandbox;
    await cancelInvoice(database.pool, tenant, id, at(END_MS - 2));
    const first = await callbackOf(id);
    const again = await cancelInvoice(database.pool, tenant, id, at(END_MS - 1));
    expect(again).toMatchObject({ outcome: 'canceled', isNew: false });
    expect(await callbackOf(id)).toEqual(first);
  });

  test('past its end date it is EXPIRED instead, with the callback of that', async () => {
    const id = await create();
    const { tenant } = merchant.sandbox;
    const answer = await cancelInvoice(database.pool, tenant, id, at(END_MS + 1));
    expect(answer).toMatchObject({ outcome: 'final', status: 'EXPIRED' });
    expect(JSON.parse(String((await callbackOf(id))?.body)).status).toBe(3);
  });

  test('while a capture is in flight it is refused and changes nothing', async () => {
    const id = await create();
    await database.pool.query("UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = $1", [
      id,
    ]);
    const { tenant } = merchant.sandbox;
    expect(await cancelInvoice(database.pool, tenant, id, at(END_MS))).toEqual({
      outcome: 'payment_in_progress',
    });
    const late = await readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS + 60_000));
    expect(late?.status).toBe('PENDING');
    expect(await expireDueInvoices(database.pool, { ...at(END_MS + 1), limit: 100 })).toEqual({
      expired: 0,
    });
    expect(await callbackOf(id)).toBeNull();
  });

  test('from another merchant or environment it is not found and stays PENDING', async () => {
    const id = await create();
    const other = await createMerchantFixture(database.pool);
    for (const tenant of [other.sandbox.tenant, merchant.production.tenant]) {
      expect(await cancelInvoice(database.pool, tenant, id, at(END_MS))).toEqual({
        outcome: 'not_found',
      });
      expect(await readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS))).toBeNull();
    }
    const own = await readStatus(
      database.pool,
      merchant.sandbox.tenant,
      { invoiceId: id },
      at(END_MS),
    );
    expect(own?.status).toBe('PENDING');
  });
});

describe('expiring', () => {
  test('a read past the end date carries it out; at the end date it is still PENDING', async () => {
    const id = await create();
    const { tenant } = merchant.sandbox;
    const atEnd = await readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS));
    expect(atEnd?.status).toBe('PENDING');
    const reads = await Promise.all(
      Array.from({ length: 10 }, () =>
        readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS + 1)),
      ),
    );
    expect(reads.map((view) => view?.status)).toEqual(new Array(10).fill('EXPIRED'));
    expect(await callbackOf(id)).not.toBeNull();
  });

  test("the buyer's read carries it out as well", async () => {
    const id = await create();
    const invoice = await readInvoiceForBuyer(database.pool, id, at(END_MS + 1));
    expect(invoice?.status).toBe('EXPIRED');
  });

  test('Prometheus hears of each once, whichever read carried it out', async () => {
    const { tenant } = merchant.sandbox;
    const expired = async () => (await metrics().expired.get()).values[0]?.value ?? 0;
    const before = await expired();
    const id = await create();
    const read = () => readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS + 1));
    await Promise.all([read(), read(), read()]);
    expect(await expired()).toBe(before + 1);
    await readInvoiceForBuyer(database.pool, await create(), at(END_MS + 1));
    expect(await expired()).toBe(before + 2);
  });

  test('the sweep takes what is due, in bounded sets, and nothing early', async () => {
    const endDateMs = END_MS - 30 * 60_000;
    const due = await Promise.all(Array.from({ length: 7 }, () => create({ endDateMs })));
    const early = await create({ endDateMs: endDateMs + 1 });
    const now = new Date(endDateMs + 1);
    expect(await expireDueInvoices(database.pool, { now, limit: 5 })).toEqual({ expired: 5 });
    expect(await expireDueInvoices(database.pool, { now, limit: 5 })).toEqual({ expired: 2 });
    expect(await expireDueInvoices(database.pool, { now, limit: 5 })).toEqual({ expired: 0 });
    for (const id of due) expect(await callbackOf(id)).not.toBeNull();
    expect(await callbackOf(early)).toBeNull();
  });

  test('two sweeps at once expire each invoice once', async () => {
    const endDateMs = END_MS - 20 * 60_000;
    const now = new Date(endDateMs + 1);
    // Other tests have left these.
    await expireDueInvoices(database.pool, { now, limit: 1_000 });
    const ids = await Promise.all(Array.from({ length: 40 }, () => create({ endDateMs })));
    const sweeps = await Promise.all(
      Array.from({ length: 4 }, () => expireDueInvoices(database.pool, { now, limit: 100 })),
    );
    const total = sweeps.reduce((sum, { expired }) => sum + expired, 0);
    const left = await expireDueInvoices(database.pool, { now, limit: 100 });
    expect(total + left.expired).toBe(40);
    const { rows } = await database.pool.query(
      `SELECT i.status, c.invoice_status AS callback FROM invoices i
       LEFT JOIN callbacks c ON c.invoice_id = i.id WHERE i.id = ANY ($1)`,
      [ids],
    );
    expect(rows).toEqual(new Array(40).fill({ status: 'EXPIRED', callback: 'EXPIRED' }));
  });

  test('payments that are being completed, and rows that somebody holds, take no room from the others', async () => {
    const { pool } = database;
    const endDateMs = END_MS - 40 * 60_000;
    const now = new Date(endDateMs + 10);
    await expireDueInvoices(pool, { now, limit: 1_000 });
    const captured = await create({ endDateMs });
    const held = await create({ endDateMs: endDateMs + 1 });
    const free = await create({ endDateMs: endDateMs + 2 });
    const claim = 'UPDATE invoices SET capture_attempt_id = $2 WHERE id = $1';
    await pool.query(claim, [captured, 'pay_slow']);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM invoices WHERE id = $1 FOR UPDATE', [held]);
    // A wait for the row would be a wait for this test.
    const first = await expireDueInvoices(pool, { now, limit: 1 });
    await holder.query('ROLLBACK');
    holder.release();
    await pool.query(claim, [captured, null]);
    expect(first).toEqual({ expired: 1 });
    expect(await callbackOf(free)).not.toBeNull();
  });

  test('on demand in the sandbox: EXPIRED with its end date as it was', async () => {
    const id = await create();
    const { tenant } = merchant.sandbox;
    const answer = await expireInvoiceNow(database.pool, tenant, id, at(NOW.getTime() + 5));
    expect(answer).toEqual({
      outcome: 'expired',
      view: { invoiceId: id, status: 'EXPIRED', endDateMs: END_MS },
    });
    await expect(
      expireInvoiceNow(database.pool, merchant.production.tenant, id, at(NOW.getTime())),
    ).rejects.toThrow('only sandbox');
  });

  test('on demand by another merchant it is not found and stays PENDING', async () => {
    const id = await create();
    const other = await createMerchantFixture(database.pool);
    expect(await expireInvoiceNow(database.pool, other.sandbox.tenant, id, at(END_MS))).toEqual({
      outcome: 'not_found',
    });
    const { tenant } = merchant.sandbox;
    const own = await readStatus(database.pool, tenant, { invoiceId: id }, at(END_MS));
    expect(own?.status).toBe('PENDING');
  });
});

describe('a change that cannot be saved', () => {
  const row = (invoiceId: string) => ({
    ...at(END_MS),
    invoiceId,
    tenant: merchant.sandbox.tenant,
  });
  const late = { now: new Date(END_MS + 1), limit: 1_000 };

  /** The notifications that the workers get. */
  async function heardOf(change: () => Promise<unknown>): Promise<string[]> {
    const listener = new pg.Client(database.url);
    await listener.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    try {
      await listener.query('LISTEN callback_due');
      await change();
      // Notifications come in the order of their commits.
      await database.pool.query(`SELECT pg_notify('callback_due', 'after it')`);
      while (heard.at(-1) !== 'after it') await once(listener, 'notification');
    } finally {
      await listener.end();
    }
    return heard.slice(0, -1);
  }

  test.each([
    [
      'a cancel',
      (id: string) => transition(database.pool, row(id), { trigger: 'cancel' }, at(END_MS)),
    ],
    [
      'cancels of one statement',
      (id: string) => transitionMany(database.pool, 'cancel', [row(id)]),
    ],
    ['the sweep', () => expireDueInvoices(database.pool, late)],
  ])(
    'by %s: the invoice stays PENDING, without a callback, and no worker is woken, though a good one wakes them',
    async (_, change) => {
      const good = await create();
      expect(await heardOf(() => change(good))).toEqual(['']);
      // Nothing is left to change.
      expect(await heardOf(() => change(good))).toEqual([]);
      const id = await create();
      // An invoice has one line of history at most, so that the second fails in the same statement.
      await database.pool.query(
        `INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type)
       VALUES ($1, 'PENDING', 'PAID', $2, 'test')`,
        [id, NOW.toISOString()],
      );
      const refused = () => expect(change(id)).rejects.toMatchObject({ code: '23505' });
      expect(await heardOf(refused)).toEqual([]);
      const { rows } = await database.pool.query(
        `SELECT i.status, c.invoice_id AS callback FROM invoices i
       LEFT JOIN callbacks c ON c.invoice_id = i.id WHERE i.id = $1`,
        [id],
      );
      expect(rows).toEqual([{ status: 'PENDING', callback: null }]);
      // The invoice stays out of later sweeps.
      await database.pool.query(`UPDATE invoices SET end_date = 'infinity' WHERE id = $1`, [id]);
    },
  );
});

describe('the callback body', () => {
  test('has the fields of the contract in its order, and every text unchanged', async () => {
    const hostile = 'quote " backslash \\ newline \n tab \t ünïcödé 💳 \u2028 </script>';
    const merchantData = '{"b": 1,\n "10":2, "2" : "x", "n": 1.50, "deep":{"z":[],"a":null}}';
    const id = await create({
      description: hostile,
      merchantTransactionId: `t ${hostile.replaceAll(/[\n\t]/g, '')}`,
      positions: [{ title: hostile, amountMinor: Number.MAX_SAFE_INTEGER, currency: 'UZS' }],
      amountMinor: Number.MAX_SAFE_INTEGER,
      currency: 'UZS',
      merchantData,
      callbackUrl: 'https://Shop.Example:8443/hook?a=1',
    });
    await cancelInvoice(database.pool, merchant.sandbox.tenant, id, at(END_MS - 1));
    const callback = await callbackOf(id);
    const text = String(callback?.body);
    const body = JSON.parse(text);
    expect(Object.keys(body)).toEqual([
      'invoice_id',
      'status',
      'amount',
      'currency',
      'description',
      'merchant_transaction_id',
      'positions',
      'merchant_data',
      'created_at',
      'updated_at',
      'extra_data',
    ]);
    expect(body).toMatchObject({
      invoice_id: id,
      status: 4,
      amount: Number.MAX_SAFE_INTEGER,
      currency: 'UZS',
      description: hostile,
      positions: [{ title: hostile, amount: Number.MAX_SAFE_INTEGER, currency: 'UZS' }],
      created_at: NOW.getTime(),
      updated_at: END_MS - 1,
      extra_data: {},
    });
    expect(text).toContain(`"merchant_data":${merchantData},`);
    expect(callback?.host).toBe('shop.example:8443');
  });

  test('leaves merchant_data out when none was given', async () => {
    const id = await create();
    await cancelInvoice(database.pool, merchant.sandbox.tenant, id, at(END_MS));
    expect(JSON.parse(String((await callbackOf(id))?.body))).not.toHaveProperty('merchant_data');
  });
});
