import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import {
  ACCEPT,
  type Answer,
  insertDue,
  openShop,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { Pump, type PumpOptions } from './pump.ts';

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await database.drop();
});

async function shop(answer?: Answer) {
  const opened = await openShop(answer);
  closers.push(() => opened.close());
  return opened;
}

function startPump(options: PumpOptions & { timeoutMs?: number; pool?: pg.Pool } = {}) {
  const context = testContext(options.pool ?? database.pool, { timeoutMs: options.timeoutMs });
  const pump = new Pump(context, options);
  closers.push(async () => {
    await pump.stop(2_000);
    await context.sender.close();
  });
  return { pump };
}

async function merchantWithDue(url: string, count: number) {
  const { id } = await createMerchantFixture(database.pool);
  const due = { environment: 'production', url, at: new Date(), count } as const;
  await insertDue(database.pool, { merchantId: id, ...due });
  return id;
}

async function countState(state: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM callbacks WHERE state = $1::callback_state',
    [state],
  );
  return rows[0]?.count ?? 0;
}

// This outlasts any wait here: requests meanwhile need no slot of theirs.
const HANGS_MS = 25_000;

const slowly =
  (ms: number): Answer =>
  (response, received, nth) => {
    setTimeout(() => ACCEPT(response, received, nth), ms);
  };

describe('Pump', () => {
  test('two pumps deliver everything once, never more than ten at a time to a merchant', async () => {
    const { url, received, mostOpen } = await shop(slowly(20));
    const other = await shop(slowly(20));
    await merchantWithDue(url, 150);
    await merchantWithDue(other.url, 150);
    startPump();
    startPump();
    await until(async () => (await countState('delivered')) === 300);
    for (const each of [received, other.received]) {
      expect(new Set(each.map(({ headers }) => headers['webhook-id'])).size).toBe(150);
      expect(each).toHaveLength(150);
    }
    expect(mostOpen()).toBe(10);
    expect(other.mostOpen()).toBe(10);
  });

  test('results that the database takes late hold up no request', async () => {
    const { url, received, mostOpen } = await shop(slowly(5));
    await merchantWithDue(url, 40);
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE callback_attempts IN EXCLUSIVE MODE');
      startPump({ pollMs: 20 });
      await until(() => received.length === 40);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await until(async () => (await countState('delivered')) === 40);
    expect(mostOpen()).toBeLessThanOrEqual(10);
    expect(received).toHaveLength(40);
  });

  test('a merchant that hangs does not delay another', async () => {
    const hanging = await shop(() => undefined);
    const healthy = await shop();
    await merchantWithDue(hanging.url, 200);
    startPump({ maxInFlight: 64, timeoutMs: HANGS_MS });
    await until(() => hanging.received.length === 10);
    await merchantWithDue(healthy.url, 100);
    await until(() => healthy.received.length === 100);
    expect(hanging.mostOpen()).toBe(10);
  });

  test('what hangs is not claimed ahead of the slots', async () => {
    const hanging = await shop(() => undefined);
    for (let count = 0; count < 4; count++) await merchantWithDue(hanging.url, 20);
    startPump({ maxInFlight: 16, pollMs: 20 });
    await until(() => hanging.received.length === 16);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rows } = await database.pool.query(
      'SELECT sum(cardinality(callback_ids))::int AS count FROM callback_leases',
    );
    expect(rows).toEqual([{ count: 16 }]);
  });

  test('merchants that hang and could fill all the room do not delay another', async () => {
    const hanging = await shop(() => undefined);
    const healthy = await shop();
    for (let i = 0; i < 4; i++) await merchantWithDue(hanging.url, 50);
    startPump({ maxInFlight: 40, reserved: 12, timeoutMs: HANGS_MS });
    await until(() => hanging.received.length >= 28);
    await merchantWithDue(healthy.url, 20);
    await until(() => healthy.received.length === 20);
  });

  test('goes on claiming while nobody answers, as long as there is room', async () => {
    const hanging = await shop(() => undefined);
    for (let i = 0; i < 32; i++) await merchantWithDue(hanging.url, 10);
    startPump({ pollMs: 60_000 });
    await until(() => hanging.received.length === 320);
  });

  test('a part of the merchants that brings little hides nothing of the others', async () => {
    const hanging = await shop(() => undefined);
    const made = Array.from({ length: 60 }, () => createMerchantFixture(database.pool));
    const ids = (await Promise.all(made)).map(({ id }) => id).sort();
    const due = (merchantId: string, count: number, ageMs: number) =>
      insertDue(database.pool, {
        merchantId,
        environment: 'production',
        url: hanging.url,
        at: new Date(Date.now() - ageMs),
        count,
      });
    // The first claim is full of the first twelve; the second begins with them and finds one each
    // of some more. Nobody answers by then, so nothing else makes the pump look.
    for (const id of ids.slice(0, 12)) await due(id, 10, 60_000);
    for (const id of ids.slice(12, 50)) await due(id, 1, 0);
    for (const id of ids.slice(50)) await due(id, 10, 0);
    startPump({ pollMs: 60_000 });
    await until(() => hanging.received.length === 120 + 38 + 100);
  });

  test('stays within its requests in flight over all', async () => {
    const { url, mostOpen } = await shop(slowly(15));
    for (let i = 0; i < 4; i++) await merchantWithDue(url, 20);
    startPump({ maxInFlight: 8 });
    await until(async () => (await countState('delivered')) === 80);
    expect(mostOpen()).toBe(8);
  });

  test('woken while there is no room, it goes on when there is', async () => {
    const { url, received } = await shop(slowly(100));
    await merchantWithDue(url, 1);
    const { pump } = startPump({ maxInFlight: 1, pollMs: 60_000 });
    await until(() => received.length === 1);
    await merchantWithDue(url, 1);
    pump.wake();
    await until(() => received.length === 2);
  });

  test('woken, it delivers at once; unwoken, within its poll', async () => {
    const { url, received } = await shop();
    const { pump } = startPump({ pollMs: 60_000 });
    await until(() => pump.inFlight === 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await merchantWithDue(url, 1);
    pump.wake();
    await until(() => received.length === 1);
    startPump({ pollMs: 50 });
    await merchantWithDue(url, 1);
    await until(() => received.length === 2);
  });

  test('what falls due between two looks is sent when it does', async () => {
    const { url } = await shop();
    const { id: merchantId } = await createMerchantFixture(database.pool);
    const now = Date.now();
    const times = [500, 500, 800, 1_100].map((ms) => new Date(now + ms));
    const due = { merchantId, environment: 'production', url } as const;
    for (const at of times) await insertDue(database.pool, { ...due, at });
    startPump({ pollMs: 60_000 });
    await until(async () => (await countState('delivered')) === 4);
    const { rows } = await database.pool.query<{ late: number }>(
      `SELECT (extract(epoch FROM a.started_at - i.end_date) * 1000)::int AS late
       FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id
       JOIN invoices i ON i.id = c.invoice_id`,
    );
    expect(rows).toHaveLength(times.length);
    for (const { late } of rows) {
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(5_000);
    }
  });

  test('stop lets what is in flight end and records it', async () => {
    const held: (() => void)[] = [];
    const { url, received } = await shop((...exchange) => held.push(() => ACCEPT(...exchange)));
    await merchantWithDue(url, 25);
    const { pump } = startPump();
    await until(() => received.length === 10);
    const stopped = pump.stop(20_000);
    for (const answer of held) answer();
    await stopped;
    expect(received).toHaveLength(10);
    expect(await countState('delivered')).toBe(10);
    expect(await countState('pending')).toBe(15);
  });

  test('every connection cut under way: it goes on, and hardly anything is sent twice', async () => {
    const { url, received } = await shop(slowly(10));
    await merchantWithDue(url, 200);
    // These connections are separate, because the one that cuts the others cannot cut itself.
    const pool = openPool(database.url, 4);
    closers.push(() => pool.end());
    startPump({ pollMs: 50, pool });
    let connectionsCut = 0;
    for (let cut = 0; cut < 5; cut++) {
      await until(() => received.length >= 20 * (cut + 1));
      const { rowCount } = await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      connectionsCut += rowCount ?? 0;
    }
    await until(async () => (await countState('delivered')) === 200, 20_000);
    // Chance decides whether one was in the middle of a statement, but not whether they were cut.
    expect(connectionsCut).toBeGreaterThan(0);
    const sent = new Set(received.map(({ headers }) => headers['webhook-id']));
    expect(sent.size).toBe(200);
    expect(received.length).toBeLessThanOrEqual(210);
  });
});
