import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertDue, resultOf, until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { claimDue } from './claim.ts';
import { recordResults } from './record.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);

let database: TestDatabase;
let merchant: MerchantFixture;

beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});

afterEach(async () => {
  await database.drop();
});

function due(url: string, count = 1) {
  return insertDue(database.pool, { merchantId: merchant.id, url, at: T0, count });
}

describe('claimDue', () => {
  const claimAt = (now: Date, limit = 100) => claimDue(database.pool, { now, limit });

  test('at most ten of a merchant, counted across claims', async () => {
    await due('http://127.0.0.1:1/', 25);
    const first = await claimAt(T0, 7);
    expect(first).toHaveLength(7);
    expect(await claimAt(T0)).toHaveLength(3);
    expect(await claimAt(T0)).toHaveLength(0);
  });

  test('answered and not yet recorded, one makes room for another, and is not claimed itself', async () => {
    await due('http://127.0.0.1:1/', 25);
    const first = await claimAt(T0);
    const answered = first.slice(0, 4);
    const more = await claimDue(database.pool, { now: T0, limit: 100, answered });
    expect(more).toHaveLength(4);
    const ids = [...first, ...more].map(({ invoiceId }) => invoiceId);
    expect(new Set(ids).size).toBe(14);
  });

  test('recorded in the meantime, one makes no second room', async () => {
    await due('http://127.0.0.1:1/', 25);
    const [first] = await claimAt(T0);
    await recordResults(database.pool, [resultOf(first!, T0)]);
    const answered = [first!];
    expect(await claimDue(database.pool, { now: T0, limit: 100, answered })).toHaveLength(1);
  });

  test('whose lease ran out before its result was recorded, one is not asked for again', async () => {
    await due('http://127.0.0.1:1/', 2);
    const answered = await claimDue(database.pool, { now: T0, limit: 1 });
    const after = later(31_000);
    const next = await claimDue(database.pool, { now: after, limit: 100, answered });
    expect(next).toHaveLength(1);
    expect(next[0]?.invoiceId).not.toBe(answered[0]?.invoiceId);
  });

  test("an answer to a claim that ran out makes no room beside another worker's on the same invoice", async () => {
    await due('http://127.0.0.1:1/', 25);
    const answered = await claimDue(database.pool, { now: T0, limit: 4 });
    const after = later(31_000);
    expect(await claimDue(database.pool, { now: after, limit: 100 })).toHaveLength(10);
    expect(await claimDue(database.pool, { now: after, limit: 100, answered })).toHaveLength(0);
  });

  test('rows in flight do not stand in the way of those that came after them', async () => {
    const at = { merchantId: merchant.id, url: 'http://127.0.0.1:1/', count: 5 };
    await insertDue(database.pool, { ...at, at: later(-2_000) });
    expect(await claimAt(T0)).toHaveLength(5);
    await insertDue(database.pool, { ...at, at: later(-1_000) });
    expect(await claimAt(T0)).toHaveLength(5);
  });

  test('twenty claims at once take ten, each row once', async () => {
    await due('http://127.0.0.1:1/', 40);
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimAt(T0, 4)));
    const ids = claims.flat().map((claimed) => claimed.invoiceId);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
  });

  test('100,000 due rows of one merchant do not hide a single one of another', async () => {
    const other = await createMerchantFixture(database.pool);
    const url = 'http://127.0.0.1:1/';
    await due(url, 100_000);
    await insertDue(database.pool, { merchantId: other.id, url, at: later(-1) });
    await database.pool.query('ANALYZE callbacks');
    const begun = performance.now();
    const claimed = await claimAt(T0, 64);
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect(claimed.filter(({ merchantId }) => merchantId === other.id)).toHaveLength(1);
    expect(claimed.filter(({ merchantId }) => merchantId === merchant.id)).toHaveLength(10);
  }, 120_000);

  test('when there is room for few, everybody comes first once', async () => {
    const url = 'http://127.0.0.1:1/';
    const others = await Promise.all(
      Array.from({ length: 5 }, () => createMerchantFixture(database.pool)),
    );
    await due(url, 30);
    await claimAt(T0, 5);
    for (const { id } of others) {
      await insertDue(database.pool, { merchantId: id, url, at: later(-1), count: 3 });
    }
    const claimed = await claimAt(T0, 5);
    expect(new Set(claimed.map(({ merchantId }) => merchantId))).toEqual(
      new Set(others.map(({ id }) => id)),
    );
  });

  test('a connection that is cut while it waits for its turn: rejected, and nothing claimed', async () => {
    await due('http://127.0.0.1:1/');
    const holder = await database.pool.connect();
    await holder.query('BEGIN; SELECT pg_advisory_xact_lock(4710001)');
    const waiting = claimAt(T0);
    const cut = async () => {
      const { rowCount } = await holder.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      );
      return (rowCount ?? 0) > 0;
    };
    await Promise.all([expect(waiting).rejects.toThrow(), until(cut)]);
    await holder.query('ROLLBACK');
    holder.release();
    expect(await claimAt(T0)).toHaveLength(1);
  });

  test('a row that another transaction holds is skipped, not waited for', async () => {
    const [held = '', free] = await due('http://127.0.0.1:1/', 2);
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM callbacks WHERE invoice_id = $1 FOR UPDATE', [held]);
    const claimed = await claimAt(T0);
    await client.query('ROLLBACK');
    client.release();
    expect(claimed.map(({ invoiceId }) => invoiceId)).toEqual([free]);
  });
});
