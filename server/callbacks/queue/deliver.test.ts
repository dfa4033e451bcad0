import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCEPT,
  type Answer,
  deliverOnce,
  insertDue,
  notificationOf,
  openShop,
  resultOf,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { readCallback } from '../data.ts';
import { resendCallback } from '../resend.ts';
import { RETRY_DELAYS_MS } from '../schedule.ts';
import { claimDue } from './claim.ts';
import { recordResults } from './record.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number, from = T0) => new Date(from.getTime() + ms);

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

/** One job run at `now`, with a stopped clock. */
async function runAt(now: Date, more: { timeoutMs?: number } = {}) {
  const context = testContext(database.pool, { ...more, clock: () => now });
  const outcome = await deliverOnce(context, { now, limit: 100 });
  await context.sender.close();
  expect(context.errors).toEqual([]);
  return outcome;
}

async function read(invoiceId: string, now = T0) {
  const found = await readCallback(database.pool, merchant.sandbox.tenant, invoiceId, { now });
  if (!found) throw new Error('no such callback');
  return found;
}

function due(url: string, count = 1) {
  return insertDue(database.pool, { merchantId: merchant.id, url, at: T0, count });
}

describe('delivering', () => {
  test('exactly one delivery for a healthy endpoint, kept with its answer', async () => {
    const { url, received } = await shop();
    const [id = ''] = await due(url);
    expect(await runAt(T0)).toEqual({ attempted: 1, delivered: 1 });
    expect(await runAt(later(60_000))).toEqual({ attempted: 0, delivered: 0 });
    expect(received).toHaveLength(1);
    const { callback, body, attempts } = await read(id);
    expect(received[0]?.body.toString()).toBe(body);
    expect(callback).toMatchObject({
      state: 'delivered',
      attemptCount: 1,
      deliveredAt: T0,
      nextAttemptAt: null,
      inFlight: false,
      lastReason: null,
      lastHttpStatus: 200,
    });
    expect(attempts).toEqual([
      {
        number: 1,
        startedAt: T0,
        durationMs: expect.any(Number),
        httpStatus: 200,
        delivered: true,
        reason: null,
        answer: '{"success":true}',
        trigger: 'schedule',
      },
    ]);
  });

  test('nothing before it is due', async () => {
    const { url, received } = await shop();
    await due(url);
    expect(await runAt(later(-1))).toEqual({ attempted: 0, delivered: 0 });
    expect(received).toHaveLength(0);
  });

  test('failed ones are tried on schedule, eleven times, then the row is exhausted and stays', async () => {
    const { url, received } = await shop((response) => response.end('{"success":false}'));
    const [id = ''] = await due(url);
    let now = T0;
    for (const [step, delayMs] of RETRY_DELAYS_MS.entries()) {
      expect(await runAt(now)).toEqual({ attempted: 1, delivered: 0 });
      const { callback } = await read(id);
      expect(callback).toMatchObject({ state: 'pending', attemptCount: step + 1 });
      expect(callback.nextAttemptAt).toEqual(later(delayMs, now));
      expect((await runAt(later(delayMs - 1, now))).attempted).toBe(0);
      now = later(delayMs, now);
    }
    expect((await runAt(now)).attempted).toBe(1);
    const { callback, attempts } = await read(id);
    expect(callback).toMatchObject({
      state: 'exhausted',
      attemptCount: 11,
      nextAttemptAt: null,
      lastReason: '200, but `success` was not true',
    });
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await runAt(later(1e9, now))).attempted).toBe(0);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('Retry-After puts the next attempt off', async () => {
    const { url } = await shop((response) => {
      response.writeHead(503, { 'retry-after': '8' }).end('busy');
    });
    const [id = ''] = await due(url);
    await runAt(T0);
    const { callback, attempts } = await read(id);
    expect(callback.nextAttemptAt).toEqual(later(8_000));
    expect(attempts[0]).toMatchObject({ answer: 'busy', reason: 'answered 503, not 200' });
  });

  test('the first 2 KiB of an answer are kept', async () => {
    const { url } = await shop((response) => response.end('x'.repeat(5_000)));
    const [id = ''] = await due(url);
    await runAt(T0);
    expect((await read(id)).attempts[0]?.answer).toBe('x'.repeat(2_048));
  });

  test('no answer at all is kept with the reason', async () => {
    const gone = await openShop();
    await gone.close();
    const [id = ''] = await due(gone.url);
    await runAt(T0);
    const { callback, attempts } = await read(id);
    expect(callback.lastReason).toBe('connection refused');
    expect(attempts[0]).toMatchObject({ httpStatus: null, answer: null, delivered: false });
  });
});

describe('a worker that died', () => {
  test.each(['known', 'to be read'])(
    'keys %s: a fault of our own is told, and the rest goes on',
    async (keys) => {
      const { url, received } = await shop();
      await due(url, 3);
      const context = testContext(database.pool, { clock: () => T0 });
      closers.push(() => context.sender.close());
      if (keys === 'known') await context.keys.keysOf(merchant.id, 'sandbox', T0);
      const { send } = context.sender;
      let sent = 0;
      context.sender.send = (callback, given) => {
        sent += 1;
        return sent === 2 ? Promise.reject(new Error('ours')) : send(callback, given);
      };
      const outcome = await deliverOnce(context, { now: T0, limit: 100 });
      expect(outcome).toEqual({ attempted: 2, delivered: 2 });
      expect(context.errors).toEqual([new Error('ours')]);
      expect(await runAt(later(1))).toEqual({ attempted: 1, delivered: 1 });
      expect(received).toHaveLength(3);
    },
  );

  test('its rows are due again when the lease ends, 30 s later, and not before', async () => {
    const { url, received } = await shop();
    const [id = ''] = await due(url);
    await claimDue(database.pool, { now: T0, limit: 1 });
    expect((await read(id)).callback.inFlight).toBe(true);
    expect((await runAt(later(29_999))).attempted).toBe(0);
    expect(await runAt(later(30_000))).toEqual({ attempted: 1, delivered: 1 });
    expect(received).toHaveLength(1);
  });

  test('of two that sent the same after a lost lease, the first result decides', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    const [late] = await claimDue(database.pool, { now: T0, limit: 1 });
    const [taken] = await claimDue(database.pool, { now: later(31_000), limit: 1 });
    await recordResults(database.pool, [resultOf(taken!, later(31_000))]);
    await recordResults(database.pool, [
      resultOf(late!, T0, { state: 'exhausted', reason: 'late', httpStatus: 500 }),
    ]);
    const { callback, attempts } = await read(id);
    expect(callback).toMatchObject({ state: 'delivered', attemptCount: 2, lastReason: null });
    expect(callback.deliveredAt).toEqual(later(31_000));
    expect(attempts.map(({ number, reason }) => [number, reason])).toEqual([
      [1, null],
      [2, 'late'],
    ]);
  });

  test('a late failure leaves the next attempt where the one before it put it', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    const [late] = await claimDue(database.pool, { now: T0, limit: 1 });
    const [taken] = await claimDue(database.pool, { now: later(31_000), limit: 1 });
    const failed = { state: 'pending', reason: 'first', nextAttemptAt: later(36_000) } as const;
    await recordResults(database.pool, [resultOf(taken!, later(31_000), failed)]);
    await recordResults(database.pool, [resultOf(late!, T0, { state: 'exhausted', reason: 'x' })]);
    const { callback } = await read(id);
    expect(callback).toMatchObject({ state: 'pending', attemptCount: 2, lastReason: 'first' });
    expect(callback.nextAttemptAt).toEqual(later(36_000));
  });

  test('what was sent twice after a lost lease takes one step of the schedule', async () => {
    await due('http://127.0.0.1:1/');
    const [late] = await claimDue(database.pool, { now: T0, limit: 1 });
    const [taken] = await claimDue(database.pool, { now: later(31_000), limit: 1 });
    const failed = { state: 'pending', reason: 'x', nextAttemptAt: later(36_000) } as const;
    await recordResults(database.pool, [resultOf(taken!, later(31_000), failed)]);
    await recordResults(database.pool, [resultOf(late!, T0, failed)]);
    const [next] = await claimDue(database.pool, { now: later(36_000), limit: 1 });
    expect(next).toMatchObject({ attemptCount: 2, stepsTaken: 1 });
  });

  test('two that send the same do not go on to send it by turns', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    const failed = (at: Date) =>
      ({ state: 'pending', reason: 'x', nextAttemptAt: later(5_000, at) }) as const;
    const [a] = await claimDue(database.pool, { now: T0, limit: 1 });
    // A crash of PostgreSQL forgets the senders.
    await database.pool.query('TRUNCATE callback_leases');
    const [b] = await claimDue(database.pool, { now: later(6_000), limit: 1 });
    await recordResults(database.pool, [resultOf(a!, T0, failed(later(10_000)))]);
    const [next] = await claimDue(database.pool, { now: later(15_000), limit: 1 });
    await recordResults(database.pool, [resultOf(b!, later(6_000), failed(later(16_000)))]);
    expect(await claimDue(database.pool, { now: later(17_000), limit: 1 })).toEqual([]);
    await recordResults(database.pool, [resultOf(next!, later(15_000), failed(later(25_000)))]);
    const { callback } = await read(id);
    expect(callback).toMatchObject({ attemptCount: 3, nextAttemptAt: later(30_000) });
  });

  test('that it was delivered before somebody wanted it resent does not count', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    await database.pool.query('UPDATE callbacks SET attempt_count = 1');
    const [late] = await claimDue(database.pool, { now: T0, limit: 1 });
    const actor = { type: 'operator', id: null, label: 'gateway command' } as const;
    const resent = { actor, now: later(31_000) };
    expect(await resendCallback(database.pool, merchant.sandbox.tenant, id, resent)).toBe('queued');
    await recordResults(database.pool, [resultOf(late!, T0)]);
    expect((await read(id)).callback).toMatchObject({ state: 'pending', attemptCount: 2 });
    const [taken] = await claimDue(database.pool, { now: later(31_000), limit: 1 });
    expect(taken).toMatchObject({ attemptCount: 2, trigger: 'resend' });
  });

  test('nor does one that was sent for an earlier resend', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    await database.pool.query('UPDATE callbacks SET attempt_count = 1');
    const actor = { type: 'operator', id: null, label: 'gateway command' } as const;
    const resend = (now: Date) =>
      resendCallback(database.pool, merchant.sandbox.tenant, id, { actor, now });
    await resend(later(1_000));
    const [late] = await claimDue(database.pool, { now: later(1_000), limit: 1 });
    expect(await resend(later(2_000))).toBe('in_flight');
    expect(await resend(later(32_000))).toBe('queued');
    await recordResults(database.pool, [resultOf(late!, later(1_000))]);
    const [taken] = await claimDue(database.pool, { now: later(32_000), limit: 1 });
    expect(taken).toMatchObject({ attemptCount: 2, trigger: 'resend' });
    await recordResults(database.pool, [resultOf(taken!, later(32_000))]);
    expect((await read(id)).callback.state).toBe('delivered');
  });

  test('two results for one invoice in a batch are both kept, and the success decides', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    const [late] = await claimDue(database.pool, { now: T0, limit: 1 });
    const [taken] = await claimDue(database.pool, { now: later(31_000), limit: 1 });
    await recordResults(database.pool, [
      resultOf(late!, T0, { state: 'pending', reason: 'late', nextAttemptAt: later(40_000) }),
      resultOf(taken!, T0, { startedAt: later(31_000) }),
    ]);
    const { callback, attempts } = await read(id);
    expect(callback).toMatchObject({ state: 'delivered', nextAttemptAt: null });
    expect(attempts).toHaveLength(2);
  });

  test('a result given again, since the answer to its commit was lost, counts once', async () => {
    const [id = ''] = await due('http://127.0.0.1:1/');
    const [claimed] = await claimDue(database.pool, { now: T0, limit: 1 });
    const result = resultOf(claimed!, T0, { state: 'pending', reason: 'failed', httpStatus: 500 });
    await recordResults(database.pool, [result]);
    await recordResults(database.pool, [result]);
    const { callback, attempts } = await read(id);
    expect(callback.attemptCount).toBe(1);
    expect(attempts).toHaveLength(1);
  });

  test('a claim that a crash of PostgreSQL forgot still takes its result', async () => {
    const { url, received } = await shop();
    const [id = ''] = await due(url);
    const [claimed] = await claimDue(database.pool, { now: T0, limit: 1 });
    await database.pool.query('TRUNCATE callback_leases');
    await recordResults(database.pool, [resultOf(claimed!, T0)]);
    expect((await read(id)).callback.state).toBe('delivered');
    expect((await runAt(later(60_000))).attempted).toBe(0);
    expect(received).toHaveLength(0);
  });
});

test('a row that cannot be recorded does not keep the others from it', async () => {
  const context = testContext(database.pool, { clock: () => T0 });
  const { url } = await shop(ACCEPT);
  const ids = await due(url, 3);
  const other = `x${randomUUID().slice(0, 6)}`;
  // A number that already exists makes the whole statement fail.
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger, reason)
     VALUES ($1, 1, now(), 1, false, 'schedule', $2)`,
    [notificationOf(ids[1] ?? ''), other],
  );
  await deliverOnce(context, { now: T0, limit: 10 });
  await until(async () => (await read(ids[2] ?? '')).callback.state === 'delivered');
  expect((await read(ids[0] ?? '')).callback.state).toBe('delivered');
  expect((await read(ids[1] ?? '')).callback.state).toBe('pending');
  expect(context.errors).toHaveLength(1);
  await context.sender.close();
});
