import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPool, type Queryable } from '../../db/pool.ts';
import type { Environment } from '../../merchants/types.ts';
import { insertDue as insertAny, resultOf, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import type { ClaimedCallback } from '../types.ts';
import { claimDue, cleanUpLeases, releaseLeases } from './claim.ts';
import { HeldCallbacks } from './held-callbacks.ts';
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

function insertDue(db: Queryable, due: Omit<Parameters<typeof insertAny>[1], 'environment'>) {
  return insertAny(db, { ...due, environment: 'production' });
}

/** Entries of the indexes of callbacks read by the connection of `pool`. */
async function rowsRead(pool: Queryable): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ read: number }>(
    `SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname = 'callbacks'`,
  );
  return rows[0]?.read ?? 0;
}

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
    const held = new HeldCallbacks();
    const first = await claimDue(database.pool, { now: T0, limit: 100, held });
    for (const callback of first.slice(0, 4)) held.answered(callback);
    const more = await claimDue(database.pool, { now: T0, limit: 100, held });
    expect(more).toHaveLength(4);
    const ids = [...first, ...more].map(({ invoiceId }) => invoiceId);
    expect(new Set(ids).size).toBe(14);
  });

  test('recorded in the meantime, one makes no second room', async () => {
    await due('http://127.0.0.1:1/', 25);
    const held = new HeldCallbacks();
    const [first] = await claimDue(database.pool, { now: T0, limit: 100, held });
    held.answered(first!);
    await recordResults(database.pool, [resultOf(first!, T0)]);
    expect(await claimDue(database.pool, { now: T0, limit: 100, held })).toHaveLength(1);
    held.forget(first!);
    expect(await claimDue(database.pool, { now: T0, limit: 100, held })).toHaveLength(0);
  });

  test('whose lease ran out before its result was recorded, one is not asked for again', async () => {
    await due('http://127.0.0.1:1/', 2);
    const held = new HeldCallbacks();
    const [answered] = await claimDue(database.pool, { now: T0, limit: 1, held });
    held.answered(answered!);
    const next = await claimDue(database.pool, { now: later(31_000), limit: 100, held });
    expect(next).toHaveLength(1);
    expect(next[0]?.invoiceId).not.toBe(answered?.invoiceId);
  });

  test("an answer to a claim that ran out makes no room beside another worker's on the same invoice", async () => {
    await due('http://127.0.0.1:1/', 25);
    const held = new HeldCallbacks();
    const answered = await claimDue(database.pool, { now: T0, limit: 4, held });
    for (const callback of answered) held.answered(callback);
    const after = later(31_000);
    expect(await claimDue(database.pool, { now: after, limit: 100 })).toHaveLength(10);
    expect(await claimDue(database.pool, { now: after, limit: 100, held })).toHaveLength(0);
  });

  test('what another holder has recorded is in flight no more, though its lease goes on', async () => {
    await due('http://127.0.0.1:1/', 12);
    const first = await claimAt(T0);
    expect(await claimAt(T0)).toHaveLength(0);
    const failed = { state: 'pending', reason: 'x', nextAttemptAt: later(5_000) } as const;
    const results = first.slice(0, 3).map((one) => resultOf(one, T0, failed));
    await recordResults(database.pool, results);
    expect(await claimAt(T0)).toHaveLength(2);
    // One more of the three has room at its next time, and is its callback's next attempt.
    const [again] = await claimAt(later(5_000));
    expect(again).toMatchObject({ attemptCount: 1 });
  });

  test('a holder that claims again keeps for itself what it has of that merchant', async () => {
    const ids = await due('http://127.0.0.1:1/', 12);
    const held = new HeldCallbacks();
    const first = await claimDue(database.pool, { now: T0, limit: 3, held });
    for (const callback of first) held.answered(callback);
    const next = await claimDue(database.pool, { now: later(20_000), limit: 100, held });
    expect(next).toHaveLength(9);
    expect(await claimAt(later(31_000))).toHaveLength(0);
    const free = await claimAt(later(50_000), 2);
    const alone = await claimDue(database.pool, { now: later(50_000), limit: 100, held });
    expect([free.length, alone.length]).toEqual([2, 0]);
    expect(ids).toContain(free[0]?.invoiceId);
  });

  test('given up, one is free for its holder at once and for others when its lease ends', async () => {
    await due('http://127.0.0.1:1/');
    const held = new HeldCallbacks();
    const [one] = await claimDue(database.pool, { now: T0, limit: 1, held });
    held.forget(one!);
    expect(await claimAt(later(29_999))).toHaveLength(0);
    expect(await claimDue(database.pool, { now: T0, limit: 1, held })).toHaveLength(1);
  });

  test('leases that a holder ends are free at once; those that ran out are cleaned up', async () => {
    const leases = async () => {
      const { rows } = await database.pool.query<{ holder_id: string }>(
        'SELECT holder_id FROM callback_leases ORDER BY leased_until',
      );
      return rows.map((row) => row.holder_id);
    };
    await due('http://127.0.0.1:1/', 3);
    const [a, b, c] = [new HeldCallbacks(), new HeldCallbacks(), new HeldCallbacks()];
    await claimDue(database.pool, { now: T0, limit: 1, held: a });
    await claimDue(database.pool, { now: later(1), limit: 1, held: b });
    await claimDue(database.pool, { now: later(2), limit: 1, held: c });
    expect(await leases()).toEqual([a.id, b.id, c.id]);
    await releaseLeases(database.pool, b);
    expect(await claimAt(T0)).toHaveLength(1);
    expect(await leases()).toHaveLength(3);
    expect(await cleanUpLeases(database.pool, { now: later(30_000), limit: 10 })).toBe(2);
    expect(await leases()).toEqual([c.id]);
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
    const claimed = await claimAt(T0, 64);
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

  describe("a merchant's queues", () => {
    const url = 'http://127.0.0.1:1/';
    const sandbox = (count: number, at = T0) =>
      insertAny(database.pool, { merchantId: merchant.id, environment: 'sandbox', url, at, count });
    const changed = async (count: number, set: string) => {
      const ids = await due(url, count);
      await database.pool.query(`UPDATE callbacks SET ${set} WHERE invoice_id = ANY ($1)`, [ids]);
      return ids;
    };
    const retries = (count: number) => changed(count, 'attempt_count = 1');
    const resent = (count: number) => changed(count, "next_trigger = 'resend'");
    const idsOf = (claimed: ClaimedCallback[]) => claimed.map(({ invoiceId }) => invoiceId).sort();

    test('a sandbox whose server hangs leaves room for production, which takes it at once', async () => {
      await sandbox(1_000);
      expect(await claimAt(T0)).toHaveLength(5);
      expect(await claimAt(T0)).toHaveLength(0);
      const live = await insertDue(database.pool, {
        merchantId: merchant.id,
        url,
        at: later(1_000),
      });
      expect(idsOf(await claimAt(later(2_000)))).toEqual(live);
    });

    test.each([
      ['retries', retries],
      ['resends', resent],
    ])('%s hold up no first attempt', async (_, backlog) => {
      await backlog(1_000);
      await sandbox(1_000);
      expect(await claimAt(T0)).toHaveLength(9);
      expect(await claimAt(T0)).toHaveLength(0);
      const first = await due(url);
      expect(idsOf(await claimAt(later(2_000)))).toEqual(first);
    });

    test('where a merchant may have but two, one of them is for first attempts', async () => {
      await sandbox(1_000);
      await resent(1_000);
      const few = { now: T0, limit: 100, perMerchant: 2 };
      expect(await claimDue(database.pool, few)).toHaveLength(1);
      const first = await due(url, 3);
      const [claimed, ...more] = await claimDue(database.pool, few);
      expect(first).toContain(claimed?.invoiceId);
      expect(more).toHaveLength(0);
    });

    test('nor do retries keep the one that is left from resends and the sandbox', async () => {
      const queues = [await retries(100), await resent(100), await sandbox(100)];
      const claimed: string[] = [];
      for (const second of [0, 1, 2]) {
        const held = new HeldCallbacks();
        const few = { now: later(second * 1_000), limit: 100, perMerchant: 2, held };
        claimed.push(...idsOf(await claimDue(database.pool, few)));
        await releaseLeases(database.pool, held);
      }
      expect(claimed).toHaveLength(3);
      for (const ids of queues) expect(claimed.filter((id) => ids.includes(id))).toHaveLength(1);
    });

    test('the one with the fewest in flight is served first, so that none starves', async () => {
      const held = new HeldCallbacks();
      const claimHeld = (limit: number) => claimDue(database.pool, { now: T0, limit, held });
      await due(url, 1_000);
      expect(await claimHeld(4)).toHaveLength(4);
      const others = [await retries(1_000), await resent(1_000), await sandbox(1_000)];
      const more = idsOf(await claimHeld(100));
      expect(more).toHaveLength(6);
      for (const ids of others) expect(more.filter((id) => ids.includes(id))).toHaveLength(2);
    });

    test("another holder's requests count in the queue that they were claimed from", async () => {
      await sandbox(1_000);
      expect(await claimAt(T0)).toHaveLength(5);
      await retries(1_000);
      const next = await claimAt(T0, 100);
      const inSandbox = next.filter(({ environment }) => environment === 'sandbox');
      expect([next.length, inSandbox.length]).toEqual([4, 0]);
    });

    test('however much waits in one, a claim reads what it takes', async () => {
      // A single connection counts all that it reads.
      const pool = openPool(database.url, 1);
      const queued = (environment: Environment, count: number) =>
        insertAny(pool, { merchantId: merchant.id, environment, url, at: T0, count });
      try {
        await queued('production', 5_000);
        await pool.query("UPDATE callbacks SET next_trigger = 'resend'");
        await queued('sandbox', 5_000);
        await queued('production', 2);
        await pool.query('VACUUM ANALYZE callbacks');
        const before = await rowsRead(pool);
        expect(await claimDue(pool, { now: T0, limit: 100 })).toHaveLength(10);
        expect((await rowsRead(pool)) - before).toBeLessThan(60);
      } finally {
        await pool.end();
      }
    });
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

  test('planned while nothing was due, a claim beside another and its results read what they take', async () => {
    const pool = openPool(database.url, 1);
    try {
      await pool.query('VACUUM ANALYZE callbacks');
      const none = { invoiceId: 'inv_none', merchantId: merchant.id, attemptCount: 0 };
      await claimDue(pool, { now: T0, limit: 10 });
      await recordResults(pool, [resultOf({ ...none, dueAt: 'now' } as ClaimedCallback, T0)]);
      await due('http://127.0.0.1:1/', 2_000);
      const first = await claimDue(pool, { now: T0, limit: 5 });
      const before = await rowsRead(pool);
      const second = await claimDue(pool, { now: T0, limit: 5 });
      const between = await rowsRead(pool);
      await recordResults(
        pool,
        [...first, ...second].map((one) => resultOf(one, T0)),
      );
      expect(between - before).toBeLessThan(30);
      expect((await rowsRead(pool)) - between).toBeLessThan(30);
    } finally {
      await pool.end();
    }
  });
});
