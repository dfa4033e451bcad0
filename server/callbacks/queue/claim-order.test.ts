import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPool, type Queryable } from '../../db/pool.ts';
import { insertDue } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { resendCallback } from '../resend.ts';
import { claimDue, Round, releaseLeases } from './claim.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import { queueOf } from './queues.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);
const url = 'http://127.0.0.1:1/';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await database.drop();
});

async function createMerchants(count: number): Promise<string[]> {
  const merchants = Array.from({ length: count }, () => createMerchantFixture(database.pool));
  return (await Promise.all(merchants)).map(({ id }) => id);
}

const due = (merchantId: string, count: number, at = T0) =>
  insertDue(database.pool, { merchantId, environment: 'production', url, at, count });

/** The merchants' numbers of claimed callbacks, the greatest first. */
function shares(claimed: readonly { merchantId: string }[]): number[] {
  const counts = new Map<string, number>();
  for (const { merchantId } of claimed) counts.set(merchantId, (counts.get(merchantId) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

describe('the order of a claim', () => {
  test("by turns, everybody's first comes before anybody's second", async () => {
    for (const id of await createMerchants(8)) await due(id, 20);
    expect(shares(await claimDue(database.pool, { now: T0, limit: 12 }))).toEqual([
      2, 2, 2, 2, 1, 1, 1, 1,
    ]);
  });

  test('by merchants, each gives what it has room for, the one with the fewest in flight first', async () => {
    const [busy = '', ...others] = await createMerchants(4);
    await due(busy, 20, later(-1_000));
    const held = new HeldCallbacks();
    expect(await claimDue(database.pool, { now: T0, limit: 3, held })).toHaveLength(3);
    for (const id of others) await due(id, 20);
    const claimBy = (limit: number) =>
      claimDue(database.pool, { now: T0, limit, round: new Round(), held });
    const first = await claimBy(25);
    expect(shares(first)).toEqual([10, 10, 5]);
    expect(first.map(({ merchantId }) => merchantId)).not.toContain(busy);
    expect(shares(await claimBy(100))).toEqual([7, 5]);
  });

  test('both take the same where there is room for all', async () => {
    const ids = await createMerchants(3);
    const count = fc.integer({ min: 0, max: 12 });
    const backlog = fc.record({ first: count, retry: count, resend: count, sandbox: count });
    const property = fc.asyncProperty(
      fc.array(backlog, { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 2, max: 10 }),
      async (backlogs, perMerchant) => {
        await database.pool.query('TRUNCATE callbacks, invoices CASCADE');
        for (const [i, merchantId] of ids.entries()) {
          const { first = 0, ...rest } = backlogs[i] ?? {};
          await due(merchantId, first);
          await insertQueues(merchantId, rest);
        }
        const claimBy = async (round?: Round) => {
          const held = new HeldCallbacks();
          const all = { now: T0, limit: 1_000, perMerchant, round, held };
          const claimed = await claimDue(database.pool, all);
          await releaseLeases(database.pool, held);
          // Callbacks that are due at the same time may come in any order.
          return claimed.map((one) => `${one.merchantId} ${queueOf(one)}`).sort();
        };
        expect(await claimBy(new Round())).toEqual(await claimBy());
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test('in a round, all merchants come by their ids, and each once', async () => {
    const ids = (await createMerchants(40)).sort();
    for (const id of ids) await due(id, 40);
    const round = new Round();
    const held = new HeldCallbacks();
    // Claims follow each other at once: everything claimed is delivered before the next claim.
    const claimNext = async () => {
      const claimed = await claimDue(database.pool, { now: T0, limit: 36, round, held });
      await deliver(held, claimed);
      return [...new Set(claimed.map(({ merchantId }) => merchantId))].sort();
    };
    await claimNext();
    const came: string[] = [];
    do {
      const merchants = await claimNext();
      // The claim starts where the one before ended, whose last merchant had room for more.
      if (merchants[0] === came.at(-1)) merchants.shift();
      came.push(...merchants);
    } while (round.isUnderWay);
    expect(came).toEqual(ids);
  });

  test('claim after claim in rounds, nothing is left that there is room for', async () => {
    const ids = await createMerchants(12);
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 14 }), { minLength: 12, maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      async (backlogs, limit) => {
        await database.pool.query('TRUNCATE callbacks, invoices, callback_leases CASCADE');
        for (const [i, id] of ids.entries()) await due(id, backlogs[i] ?? 0);
        const round = new Round();
        const held = new HeldCallbacks();
        const claimed: string[] = [];
        for (let isOver = false; !isOver; ) {
          const isWhole = !round.isUnderWay;
          const more = await claimDue(database.pool, { now: T0, limit, round, held });
          claimed.push(...more.map(({ merchantId }) => merchantId));
          isOver = isWhole && more.length < limit;
        }
        const room = ids.flatMap((id, i) =>
          new Array<string>(Math.min(backlogs[i] ?? 0, 10)).fill(id),
        );
        expect(claimed.sort()).toEqual(room.sort());
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  test('where a part ends, it has all queues of the last merchant', async () => {
    const ids = (await createMerchants(3)).sort();
    const last = ids.pop() ?? '';
    for (const id of ids) await insertQueues(id, { sandbox: 1 }, later(60_000));
    await due(last, 20);
    await insertQueues(last, { retry: 20 });
    const round = new Round();
    round.goOn(true, '');
    const claimed = await claimDue(database.pool, { now: T0, limit: 9, round });
    expect(new Set(claimed.map(queueOf)).size).toBe(2);
  });

  test('asked for again before its first attempt, it keeps its place before all resends', async () => {
    const { id, production } = await createMerchantFixture(database.pool);
    await insertQueues(id, { resend: 20 });
    const [first = ''] = await due(id, 1, later(1_000));
    const actor = { type: 'staff', id: 'usr_1', label: 'anna@shop.example' } as const;
    const asked = { actor, now: later(2_000) };
    const outcome = await resendCallback(database.pool, production.tenant, first, asked);
    expect(outcome).toBe('queued');
    const claimed = await claimDue(database.pool, { now: later(3_000), limit: 100 });
    const { trigger } = claimed.find(({ invoiceId }) => invoiceId === first) ?? {};
    expect(trigger).toBe('schedule');
  });

  async function deliver(
    held: HeldCallbacks,
    claimed: Awaited<ReturnType<typeof claimDue>>,
  ): Promise<void> {
    const ids = claimed.map(({ invoiceId }) => invoiceId);
    const delivered = "UPDATE callbacks SET state = 'delivered' WHERE invoice_id = ANY ($1)";
    await database.pool.query(delivered, [ids]);
    for (const one of claimed) held.forget(one);
  }

  async function insertQueues(
    merchantId: string,
    counts: { retry?: number; resend?: number; sandbox?: number },
    at = T0,
  ): Promise<void> {
    const { retry = 0, resend = 0, sandbox = 0 } = counts;
    const change = async (ids: string[], set: string) =>
      database.pool.query(`UPDATE callbacks SET ${set} WHERE invoice_id = ANY ($1)`, [ids]);
    await change(await due(merchantId, retry, new Date(at.getTime() - 1)), 'attempt_count = 1');
    await change(
      await due(merchantId, resend, new Date(at.getTime() - 2)),
      "next_trigger = 'resend'",
    );
    await insertDue(database.pool, {
      merchantId,
      url,
      at: new Date(at.getTime() - 3),
      count: sandbox,
    });
  }
});

describe('what a claim reads', () => {
  /** The cost of `claim` in the indexes of callbacks: searches, and entries read. */
  async function costOf(claim: (pool: ReturnType<typeof openPool>) => Promise<unknown>) {
    await database.pool.query('VACUUM ANALYZE callbacks');
    // A separate connection counts only its own work.
    const pool = openPool(database.url, 1);
    try {
      const before = await done(pool);
      await claim(pool);
      const after = await done(pool);
      return { searches: after.searches - before.searches, read: after.read - before.read };
    } finally {
      await pool.end();
    }
  }

  async function done(pool: Queryable): Promise<{ searches: number; read: number }> {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ searches: number; read: number }>(
      `SELECT sum(idx_scan)::int AS searches, sum(idx_tup_read)::int AS read
       FROM pg_stat_user_indexes WHERE relname = 'callbacks'`,
    );
    return rows[0] ?? { searches: 0, read: 0 };
  }

  test('by merchants, the search ends with the rows that are asked for', async () => {
    const ids = await createMerchants(40);
    for (const id of ids) await due(id, 20);
    const few = { now: T0, limit: 20, round: new Round() };
    // The walk reads one entry for each merchant, and the claim twenty rows.
    expect((await costOf((pool) => claimDue(pool, few))).read).toBeLessThan(ids.length + 30);
  });

  test('in a round, it looks at a part of the merchants', async () => {
    const ids = await createMerchants(40);
    for (const id of ids) await due(id, 20);
    const few = { now: T0, limit: 15, round: new Round(), held: new HeldCallbacks() };
    await claimDue(database.pool, few);
    expect(few.round.isUnderWay).toBe(true);
    // The walk reads an entry for each of five merchants, the claim those of fifteen rows.
    const { read } = await costOf(async (pool) => {
      expect(await claimDue(pool, few)).toHaveLength(15);
    });
    expect(read).toBeLessThan(5 + 15 + 10);
  });

  test('merchants with nothing due are passed over', async () => {
    const [one = '', ...others] = await createMerchants(40);
    await due(one, 5);
    for (const id of others) await due(id, 20, later(60_000));
    // The walk makes one search for each merchant, and few for the one with due rows.
    const { searches } = await costOf((pool) => claimDue(pool, { now: T0, limit: 100 }));
    expect(searches).toBeLessThan(40 + 5);
  });
});
