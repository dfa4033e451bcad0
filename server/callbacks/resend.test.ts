import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  deliverOnce,
  insertDue,
  openShop,
  testContext,
} from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { readCallback } from './data.ts';
import { claimDue } from './queue/claim.ts';
import { countFailedSince, resendCallback, resendFailedSince } from './resend.ts';
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from './schedule.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);
const actor = { type: 'staff', id: 'usr_1', label: 'anna@shop.example' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await database.drop();
});

async function shop(answer?: Answer) {
  const opened = await openShop(answer);
  closers.push(() => opened.close());
  return opened;
}

async function runAt(now: Date) {
  const context = testContext(database.pool, { clock: () => now });
  const outcome = await deliverOnce(context, { now, limit: 100 });
  await context.sender.close();
  return outcome;
}

const due = (url: string, count = 1, at = T0) =>
  insertDue(database.pool, { merchantId: merchant.id, url, at, count });

async function read(id: string) {
  const found = await readCallback(database.pool, merchant.sandbox.tenant, id, { now: T0 });
  if (!found) throw new Error('no such callback');
  return found;
}

const resend = (id: string, now: Date, tenant = merchant.sandbox.tenant) =>
  resendCallback(database.pool, tenant, id, { actor, now });

async function exhaust(ids: string[]) {
  await database.pool.query(
    `UPDATE callbacks SET state = 'exhausted', attempt_count = 11 WHERE invoice_id = ANY($1)`,
    [ids],
  );
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, reason, trigger)
     SELECT id, 11, $2, 1, false, 'answered 500, not 200', 'schedule'
     FROM callbacks WHERE invoice_id = ANY($1)`,
    [ids, T0.toISOString()],
  );
}

async function audit() {
  const { rows } = await database.pool.query(
    'SELECT actor_label, merchant_id, action, target_id, details FROM audit_log ORDER BY id',
  );
  return rows;
}

describe('resendCallback', () => {
  test('an exhausted one is sent once more; failed, it is exhausted again', async () => {
    let fails = true;
    const { url, received } = await shop((response) => response.end(`{"success":${!fails}}`));
    const [id = ''] = await due(url);
    await exhaust([id]);
    expect(await resend(id, later(1_000))).toBe('queued');
    await runAt(later(1_000));
    const failed = await read(id);
    expect(failed.callback).toMatchObject({ state: 'exhausted', attemptCount: 12 });
    expect(failed.attempts.at(-1)).toMatchObject({ number: 12, trigger: 'resend' });
    fails = false;
    await resend(id, later(2_000));
    await runAt(later(2_000));
    expect((await read(id)).callback).toMatchObject({ state: 'delivered', attemptCount: 13 });
    expect(received).toHaveLength(2);
    expect(await audit()).toEqual(
      new Array(2).fill({
        actor_label: 'anna@shop.example',
        merchant_id: merchant.id,
        action: 'callback.resend',
        target_id: id,
        details: null,
      }),
    );
  });

  test('one that waits for its next step is sent now; failed, the schedule goes on', async () => {
    const { url } = await shop((response) => response.end('{}'));
    const [id = ''] = await due(url);
    await runAt(T0);
    await resend(id, later(1_000));
    expect((await read(id)).callback).toMatchObject({ stepsTaken: 1, isResend: true });
    await runAt(later(1_000));
    const { callback, attempts } = await read(id);
    expect(callback).toMatchObject({ state: 'pending', nextAttemptAt: later(6_000) });
    expect(callback).toMatchObject({ attemptCount: 2, stepsTaken: 1, isResend: false });
    expect(attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'resend']);
  });

  test('however often it is resent, no step of the schedule is used up', async () => {
    const { url } = await shop((response) => response.end('{}'));
    const [id = ''] = await due(url);
    await runAt(T0);
    for (let nth = 1; nth <= MAX_ATTEMPTS; nth++) {
      expect(await resend(id, later(nth))).toBe('queued');
      await runAt(later(nth));
      const nextAttemptAt = later(nth + (RETRY_DELAYS_MS[0] ?? 0));
      const attemptCount = 1 + nth;
      expect((await read(id)).callback).toMatchObject({
        state: 'pending',
        attemptCount,
        nextAttemptAt,
      });
    }
    let now = later(MAX_ATTEMPTS);
    for (const [step, delayMs] of RETRY_DELAYS_MS.entries()) {
      now = new Date(now.getTime() + delayMs);
      expect((await runAt(now)).attempted).toBe(1);
      const state = step + 1 < RETRY_DELAYS_MS.length ? 'pending' : 'exhausted';
      expect((await read(id)).callback.state).toBe(state);
    }
    await resend(id, now);
    await runAt(now);
    expect((await read(id)).callback.state).toBe('exhausted');
  });

  test('resent before its first attempt is due, it waits for the first pause and has all its steps', async () => {
    const { url } = await shop((response) => response.end('{}'));
    const [id = ''] = await due(url, 1, later(60_000));
    await resend(id, T0);
    await runAt(T0);
    expect((await read(id)).callback.nextAttemptAt).toEqual(later(5_000));
    await runAt(later(5_000));
    expect((await read(id)).callback.nextAttemptAt).toEqual(later(10_000));
  });

  test('a delivered one can be sent again', async () => {
    const { url, received } = await shop();
    const [id = ''] = await due(url);
    await runAt(T0);
    expect(await resend(id, later(1_000))).toBe('queued');
    await runAt(later(1_000));
    expect(received).toHaveLength(2);
    expect((await read(id)).callback.deliveredAt).toEqual(later(1_000));
  });

  test('one in flight is left alone', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    // It is not the first attempt, which keeps its place even when resent.
    await database.pool.query('UPDATE callbacks SET attempt_count = 1');
    await claimDue(database.pool, { now: T0, limit: 1 });
    expect(await resend(id, later(1_000))).toBe('in_flight');
    expect((await read(id)).callback.nextAttemptAt).toEqual(T0);
    expect(await audit()).toEqual([]);
  });

  test('not found for another merchant and in the other environment', async () => {
    const other = await createMerchantFixture(database.pool);
    const [id = ''] = await due('http://127.0.0.1:1/');
    expect(await resend(id, T0, other.sandbox.tenant)).toBe('not_found');
    expect(await resend(id, T0, merchant.production.tenant)).toBe('not_found');
    expect(await resend('inv_none', T0)).toBe('not_found');
    // The key of an invoice's callback has the part of its id after the prefix.
    expect(await resend(`xyz_${id.slice(4)}`, T0)).toBe('not_found');
    expect(await audit()).toEqual([]);
  });
});

describe('resendFailedSince', () => {
  test('all of the tenant that failed since then, and no others', async () => {
    const other = await createMerchantFixture(database.pool);
    const url = 'http://127.0.0.1:1/';
    const exhausted = await due(url, 2);
    const waiting = await due(url, 1);
    const fresh = await due(url, 1);
    await exhaust(exhausted);
    await exhaust(waiting);
    await database.pool.query(
      `UPDATE callbacks SET state = 'pending', attempt_count = 3, next_attempt_at = $2
       WHERE invoice_id = ANY($1)`,
      [waiting, later(7_200_000).toISOString()],
    );
    const input = { actor, now: later(60_000) };
    const tenant = merchant.sandbox.tenant;
    const { pool } = database;
    expect(await resendFailedSince(pool, tenant, { ...input, since: later(1) })).toEqual({
      queued: 0,
    });
    expect(await resendFailedSince(pool, other.sandbox.tenant, { ...input, since: T0 })).toEqual({
      queued: 0,
    });
    expect(await resendFailedSince(pool, tenant, { ...input, since: T0 })).toEqual({ queued: 3 });
    const { rows } = await pool.query<{ invoice_id: string }>(
      `SELECT invoice_id FROM callbacks WHERE next_trigger = 'resend' AND next_attempt_at = $1
       AND state = 'pending' ORDER BY invoice_id`,
      [later(60_000).toISOString()],
    );
    expect(rows.map((row) => row.invoice_id)).toEqual([...exhausted, ...waiting].sort());
    expect(fresh).toHaveLength(1);
    expect((await audit()).at(-1)).toMatchObject({
      action: 'callback.resend_failed',
      details: { since: T0.toISOString(), count: 3 },
    });
  });
});

describe('resendFailedSince, of more than one set', () => {
  /** A pool that calls `look` before set `nth` begins. */
  function before(nth: number, look: () => Promise<void>): pg.Pool {
    let begun = 0;
    const connect = async () => {
      begun += 1;
      if (begun === nth) await look();
      return database.pool.connect();
    };
    return { connect } as unknown as pg.Pool;
  }
  const count = async (condition: string) =>
    (await database.pool.query(`SELECT FROM callbacks WHERE ${condition}`)).rowCount;
  const input = { actor, now: later(60_000), since: T0 };
  const isResent = `state = 'pending' AND next_trigger = 'resend'`;

  test('each is committed, none is sent again twice, and the log tells who from the first on', async () => {
    const ids: string[] = [];
    for (const at of [0, 1, 2]) {
      ids.push(...(await due('http://127.0.0.1:1/', 700, later(at))));
    }
    await exhaust(ids);
    const details = { since: T0.toISOString() };
    let again = '';
    const pool = before(2, async () => {
      expect(await count(isResent)).toBe(1_000);
      expect(await audit()).toMatchObject([{ actor_label: actor.label, details }]);
      // One was sent meanwhile, and failed.
      const { rows } = await database.pool.query<{ invoice_id: string }>(
        `UPDATE callbacks SET next_trigger = 'schedule', next_attempt_at = $1
         WHERE invoice_id = (SELECT invoice_id FROM callbacks WHERE ${isResent} LIMIT 1)
         RETURNING invoice_id`,
        [later(99_000).toISOString()],
      );
      again = rows[0]?.invoice_id ?? '';
    });
    const { tenant } = merchant.sandbox;
    expect(await resendFailedSince(pool, tenant, input)).toEqual({ queued: 2_100 });
    expect(await count(isResent)).toBe(2_099);
    expect((await read(again)).callback.nextAttemptAt).toEqual(later(99_000));
    const entry = { action: 'callback.resend_failed', actor_label: actor.label };
    expect(await audit()).toMatchObject([entry, entry]);
    expect((await audit()).map((row) => row.details)).toEqual([
      details,
      { ...details, count: 2_100 },
    ]);
  });

  test('it waits for nobody: a row that is being recorded is left out', async () => {
    const ids = await due('http://127.0.0.1:1/', 3);
    await exhaust(ids);
    const other = await database.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM callbacks WHERE invoice_id = $1 FOR NO KEY UPDATE', [ids[1]]);
      const { tenant } = merchant.sandbox;
      expect(await resendFailedSince(database.pool, tenant, input)).toEqual({ queued: 2 });
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
    expect(await count(`state = 'exhausted'`)).toBe(1);
  });
});

describe('countFailedSince, of more than one set', () => {
  const input = { now: later(60_000), since: T0 };
  const counted = async (more: Parameters<typeof countFailedSince>[3] = {}) => {
    const { tenant } = merchant.sandbox;
    const options = { clock: () => 0, ...more };
    const { hosts, isWhole } = await countFailedSince(database.pool, tenant, input, options);
    return { counts: hosts.map(({ count }) => count), isWhole };
  };

  test('each counts once, and it ends when there is enough or it took long', async () => {
    const ids: string[] = [];
    for (const at of [0, 1, 2]) ids.push(...(await due('http://127.0.0.1:1/', 700, later(at))));
    await exhaust(ids);
    expect(await counted()).toEqual({ counts: [2_100], isWhole: true });
    const most = Number.POSITIVE_INFINITY;
    const two = { counts: [2_000], isWhole: false };
    expect(await counted({ limits: { counted: 1_001, lookedAt: most } })).toEqual(two);
    expect(await counted({ limits: { counted: most, lookedAt: 2_000 } })).toEqual(two);
    // The clock begins at 0; the first set ends in time, the second one does not.
    const timesMs = [0, 2_999];
    expect(await counted({ clock: () => timesMs.shift() ?? 3_000 })).toEqual(two);
  });

  test('what did not fail since then is looked at and not counted', async () => {
    const ids = await due('http://127.0.0.1:1/', 1_001);
    await exhaust(ids.slice(0, 1));
    expect(await counted()).toEqual({ counts: [1], isWhole: true });
    const limits = { counted: 1, lookedAt: 1_000 };
    expect(await counted({ limits })).toEqual({ counts: [], isWhole: false });
  });
});
