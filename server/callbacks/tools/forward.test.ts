import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createLogger } from '../../observability/log.ts';
import {
  claimedFor,
  deliverOnce,
  insertDue,
  openShop,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { readCallback } from '../data.ts';
import { AttemptLog } from '../queue/attempt-log.ts';
import { resendCallback } from '../resend.ts';
import { RETRY_DELAYS_MS } from '../schedule.ts';
import { type ForwardTimes, forwardingSender } from './forward.ts';
import {
  answerForward,
  type ForwardAnswer,
  keepListening,
  LISTENER_LEASE_MS,
  type ListenerStep,
  type TakenForward,
  takeForwards,
} from './listen.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
let shop: Awaited<ReturnType<typeof openShop>>;

beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  shop = await openShop();
});
afterEach(async () => {
  await shop.close();
  await database.drop();
});

const say = (step: ListenerStep, { listenerId = 'laptop', now = new Date() } = {}) =>
  keepListening(database.pool, merchant.sandbox.tenant, { listenerId, step, now });

/** Makes one attempt of all due callbacks, looking for listeners. */
async function attemptDue(times: ForwardTimes = {}, now = new Date(), attempts?: AttemptLog) {
  const direct = testContext(database.pool);
  const sender = forwardingSender(direct.sender, {
    pool: database.pool,
    clock: direct.clock,
    snapshotMs: 0,
    ...times,
  });
  const outcome = await deliverOnce({ ...direct, sender, attempts }, { now, limit: 10 });
  await direct.sender.close();
  return outcome;
}

/** A mistaken listener costs the attempt. */
const neverGivenUp = { untakenMs: 60_000, timeoutMs: 500 };

const due = async () => {
  const [id] = await insertDue(database.pool, {
    merchantId: merchant.id,
    url: shop.url,
    at: new Date(),
  });
  return id ?? '';
};

/** The end of the listener's last poll. */
async function lastPoll(): Promise<Date> {
  const { rows } = await database.pool.query<{ at: Date }>(
    'SELECT listening_until AS at FROM callback_listeners',
  );
  return rows[0]?.at ?? new Date(0);
}

/** Takes one callback as the listener does. */
async function takeOne(listenerId = 'laptop'): Promise<TakenForward> {
  let taken: TakenForward[] = [];
  await until(async () => {
    const options = { listenerId, until: await lastPoll(), now: new Date() };
    taken = await takeForwards(database.pool, merchant.sandbox.tenant, options);
    return taken.length > 0;
  });
  return taken[0] as TakenForward;
}

const OK: ForwardAnswer = {
  durationMs: 3,
  httpStatus: 200,
  body: Buffer.from('{"success":true}'),
  failure: null,
  retryAfter: null,
  location: null,
};

const answer = ({ forwardId }: TakenForward, changes: Partial<ForwardAnswer> = {}) =>
  answerForward(database.pool, merchant.sandbox.tenant, {
    forwardId,
    answer: { ...OK, ...changes },
    now: new Date(),
  });

async function read(invoiceId: string) {
  const options = { now: new Date() };
  const found = await readCallback(database.pool, merchant.sandbox.tenant, invoiceId, options);
  if (!found) throw new Error('no such callback');
  return found;
}

test('the log tells an attempt through a listener from one by the schedule', async () => {
  const lines: string[] = [];
  const attempts = new AttemptLog(createLogger('info', { write: (text) => lines.push(text) }));
  await due();
  await say('start');
  const attempted = attemptDue({}, new Date(), attempts);
  await answer(await takeOne());
  await attempted;
  attempts.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ trigger: 'listener' }]);
});

test('whoever listens gets the callback instead of its address, and its answer is the attempt’s', async () => {
  const id = await due();
  await say('start');
  const attempted = attemptDue();
  const taken = await takeOne();
  expect(taken).toMatchObject({ invoiceId: id, attempt: 1, url: shop.url });
  expect(JSON.parse(taken.body.toString())).toMatchObject({ invoice_id: id });
  expect(taken.headers).toContain('webhook-signature');
  expect(await answer(taken)).toMatchObject({ attempt: 1 });
  expect(await attempted).toEqual({ attempted: 1, delivered: 1 });
  const { callback, attempts } = await read(id);
  expect(callback).toMatchObject({ state: 'delivered', attemptCount: 1 });
  expect(attempts).toMatchObject([
    { number: 1, httpStatus: 200, delivered: true, trigger: 'listener', durationMs: 3 },
  ]);
  expect(shop.received).toHaveLength(0);
});

test('what it fails is tried again by the schedule, through the listener again', async () => {
  const id = await due();
  await say('start');
  const first = attemptDue();
  await answer(await takeOne(), { httpStatus: 500, body: Buffer.from('oops') });
  expect(await first).toEqual({ attempted: 1, delivered: 0 });
  const { callback, attempts } = await read(id);
  expect(attempts).toMatchObject([{ httpStatus: 500, reason: 'answered 500, not 200' }]);
  const [delayMs = 0] = RETRY_DELAYS_MS;
  const nextMs = callback.nextAttemptAt?.getTime() ?? 0;
  expect(nextMs - (attempts[0]?.startedAt.getTime() ?? 0)).toBeGreaterThanOrEqual(delayMs);
  const second = attemptDue({}, new Date(nextMs));
  const taken = await takeOne();
  expect(taken.attempt).toBe(2);
  expect(await answer(taken)).toEqual({ attempt: 2, stepsTaken: 1, trigger: 'schedule' });
  expect(await second).toEqual({ attempted: 1, delivered: 1 });
});

test('a resend that goes through the listener takes no step of the schedule', async () => {
  const id = await due();
  await database.pool.query('UPDATE callbacks SET attempt_count = 1');
  await say('start');
  const actor = { type: 'operator', id: null, label: 'gateway command' } as const;
  for (const attempt of [2, 3]) {
    const now = new Date();
    const resent = resendCallback(database.pool, merchant.sandbox.tenant, id, { actor, now });
    expect(await resent).toBe('queued');
    const attempted = attemptDue();
    const answered = await answer(await takeOne(), { httpStatus: 500 });
    expect(answered).toEqual({ attempt, stepsTaken: 1, trigger: 'resend' });
    expect(await attempted).toEqual({ attempted: 1, delivered: 0 });
  }
});

test('a local program that is not there is a failure with its reason', async () => {
  const id = await due();
  await say('start');
  const attempted = attemptDue();
  await answer(await takeOne(), {
    httpStatus: null,
    body: Buffer.alloc(0),
    failure: 'connection_refused',
  });
  await attempted;
  expect((await read(id)).attempts).toMatchObject([{ reason: 'connection refused' }]);
});

test('a listener that takes a callback and dies is a timeout, and nobody can answer late', async () => {
  const id = await due();
  await say('start');
  // Long enough for a listener on a busy machine to take it.
  const attempted = attemptDue({ timeoutMs: 2_000 });
  const taken = await takeOne();
  expect(await attempted).toEqual({ attempted: 1, delivered: 0 });
  expect(await answer(taken)).toBeNull();
  expect((await read(id)).attempts).toMatchObject([{ reason: 'no complete answer within 10 s' }]);
});

test('one that is gone without a word costs no attempt: the address gets the callback', async () => {
  const id = await due();
  await say('start');
  expect(await attemptDue({ untakenMs: 100 })).toEqual({ attempted: 1, delivered: 1 });
  expect(shop.received).toHaveLength(1);
  expect((await read(id)).attempts).toMatchObject([{ number: 1, trigger: 'schedule' }]);
});

test.each([
  ['does not come', false],
  ['is carried out and its answer lost', true],
])('nor where the question for it %s', async (_how, isCarriedOut) => {
  const id = await due();
  await say('start');
  const query = database.pool.query.bind(database.pool);
  let lost = 0;
  vi.spyOn(database.pool, 'query').mockImplementation((async (
    ...asked: Parameters<typeof query>
  ) => {
    const isWithdrawal = String(asked[0]).includes('withdrawn');
    if (!isWithdrawal || lost > 0) return await query(...asked);
    lost += 1;
    if (isCarriedOut) await query(...asked);
    throw new Error('connection lost');
  }) as typeof query);
  expect(await attemptDue({ untakenMs: 100 })).toEqual({ attempted: 1, delivered: 1 });
  vi.restoreAllMocks();
  expect(lost).toBe(1);
  expect((await read(id)).attempts).toMatchObject([{ number: 1, trigger: 'schedule' }]);
});

test('callbacks go to their addresses when it has stopped, and when its lease is over', async () => {
  await due();
  await say('start');
  await say('stop');
  expect(await attemptDue(neverGivenUp)).toEqual({ attempted: 1, delivered: 1 });
  await due();
  await say('start', { now: new Date(Date.now() - LISTENER_LEASE_MS - 1) });
  expect(await attemptDue()).toEqual({ attempted: 1, delivered: 1 });
  expect(shop.received).toHaveLength(2);
});

test('a database that does not say who listens keeps no callback from its address', async () => {
  const pool = openPool(database.url, 1);
  await pool.end();
  const direct = testContext(database.pool);
  const sender = forwardingSender(direct.sender, { pool, clock: direct.clock });
  const callback = { ...claimedFor(shop.url), merchantId: merchant.id };
  const observation = await sender.send(callback, [createSecretKey('key', 'utf8')]);
  expect(observation).toMatchObject({ httpStatus: 200, failure: null });
  await direct.sender.close();
});

test('another merchant, and production, never wait for a listener', async () => {
  await say('start');
  const other = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId: other.id, url: shop.url, at: new Date() });
  const id = await due();
  await database.pool.query(
    "UPDATE callbacks SET environment = 'production' WHERE invoice_id = $1",
    [id],
  );
  expect(await attemptDue(neverGivenUp)).toEqual({ attempted: 2, delivered: 2 });
  expect(shop.received).toHaveLength(2);
});

test('the newest listener gets everything, and the one before is told', async () => {
  expect(await say('start')).toBeInstanceOf(Date);
  expect(await say('start', { listenerId: 'desktop' })).toBeInstanceOf(Date);
  expect(await say('go_on')).toBeNull();
  await due();
  const attempted = attemptDue();
  const options = { listenerId: 'laptop', until: await lastPoll(), now: new Date() };
  const sql = 'SELECT FROM callback_forwards WHERE taken_at IS NULL';
  await until(async () => (await database.pool.query(sql)).rowCount === 1);
  expect(await takeForwards(database.pool, merchant.sandbox.tenant, options)).toEqual([]);
  const taken = await takeOne('desktop');
  expect(await answer(taken)).toMatchObject({ attempt: 1 });
  expect(await answer(taken)).toBeNull();
  expect(await attempted).toEqual({ attempted: 1, delivered: 1 });
});

test('a poll whose caller has gone takes nothing from the next one', async () => {
  const now = new Date();
  const gone = await say('start', { now });
  const next = await say('go_on', { now: new Date(now.getTime() + 1) });
  if (!gone || !next) throw new Error('taken over');
  await due();
  const attempted = attemptDue();
  const sql = 'SELECT FROM callback_forwards WHERE taken_at IS NULL';
  await until(async () => (await database.pool.query(sql)).rowCount === 1);
  const take = (poll: Date) =>
    takeForwards(database.pool, merchant.sandbox.tenant, {
      ...{ listenerId: 'laptop', until: poll, now: new Date() },
    });
  expect(await take(gone)).toEqual([]);
  const [taken] = await take(next);
  if (!taken) throw new Error('nothing was taken');
  expect(await answer(taken)).toMatchObject({ attempt: 1 });
  expect(await attempted).toEqual({ attempted: 1, delivered: 1 });
});

test('nobody can answer for another merchant', async () => {
  await due();
  await say('start');
  const attempted = attemptDue({ timeoutMs: 400 });
  const { forwardId } = await takeOne();
  const stranger = await createMerchantFixture(database.pool);
  const forged = { forwardId, answer: OK, now: new Date() };
  expect(await answerForward(database.pool, stranger.sandbox.tenant, forged)).toBeNull();
  expect(await attempted).toEqual({ attempted: 1, delivered: 0 });
});

test('what cannot be signed is handed to no listener', async () => {
  await say('start');
  const { clock, sender: direct } = testContext(database.pool);
  const times = { pool: database.pool, clock, snapshotMs: 0, ...neverGivenUp };
  const sender = forwardingSender(direct, times);
  const callback = { ...claimedFor(shop.url), merchantId: merchant.id };
  expect((await sender.send(callback, [])).failure).toBe('no_signing_secret');
  await sender.close();
});
