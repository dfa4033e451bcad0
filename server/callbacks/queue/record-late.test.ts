import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDue, resultOf } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { AttemptResult, CallbackState } from '../types.ts';
import { claimDue } from './claim.ts';
import { recordAgain, recordResults } from './record.ts';

// Worker A sends, cannot record the result, and loses its lease; B sends the same again.

const T0 = new Date('2026-11-21T12:00:00.000Z');
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1_000);
const ENDED_A = at(1);
const RETRY = at(100);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const failed = (state: CallbackState, more: Partial<AttemptResult> = {}) =>
  ({
    state,
    httpStatus: 409,
    reason: 'answered 409, not 200',
    nextAttemptAt: RETRY,
    ...more,
  }) as const;

type Claim = (second: number, more?: Partial<AttemptResult>) => Promise<AttemptResult>;

/** One callback; `claim` claims it at a second and returns the result, a success by default. */
async function oneDue(): Promise<{ id: string; claim: Claim }> {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const [id = ''] = await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: T0 });
  const claim: Claim = async (second, more) => {
    const claimed = await claimDue(pool, { now: at(second), limit: 100 });
    const mine = claimed.find(({ invoiceId }) => invoiceId === id);
    if (!mine) throw new Error(`nothing was claimed at ${second} s`);
    return resultOf(mine, at(second + 1), more);
  };
  return { id, claim };
}

async function stateOf(id: string) {
  const { rows } = await database.pool.query(
    `SELECT state, attempt_count, extra_attempts, next_trigger, delivered_at, last_reason,
            last_http_status, relayed_at FROM callbacks WHERE invoice_id = $1`,
    [id],
  );
  return rows[0];
}

const delivered = (more: object) => ({
  state: 'delivered',
  next_trigger: 'schedule',
  delivered_at: ENDED_A,
  last_reason: null,
  last_http_status: 200,
  relayed_at: null,
  ...more,
});

test.each(['pending', 'exhausted'] as const)(
  'a success that comes after the failure of the same sent again decides: %s → delivered',
  async (state) => {
    const { id, claim } = await oneDue();
    const a = await claim(0);
    const b = await claim(60, failed(state));
    await recordResults(database.pool, [b]);
    expect(await stateOf(id)).toMatchObject({ state, attempt_count: 1, extra_attempts: 0 });
    await database.pool.query('UPDATE callbacks SET relayed_at = now() WHERE invoice_id = $1', [
      id,
    ]);
    await recordResults(database.pool, [a]);
    const expected = delivered({ attempt_count: 2, extra_attempts: 1 });
    expect(await stateOf(id)).toEqual(expected);
    // The result is recorded without the worker's knowledge, and given again.
    await recordAgain(database.pool, [a]);
    expect(await stateOf(id)).toEqual(expected);
  },
);

test.each([
  ['success', {}],
  ['failure', failed('pending')],
  ['last failure', failed('exhausted')],
] as const)(
  'while the next step is being sent, a late success decides, not its %s',
  async (_, end) => {
    const { id, claim } = await oneDue();
    const a = await claim(0);
    await recordResults(database.pool, [await claim(60, failed('pending'))]);
    const c = await claim(120, end);
    await recordResults(database.pool, [a]);
    await recordResults(database.pool, [c]);
    expect(await stateOf(id)).toEqual(delivered({ attempt_count: 3, extra_attempts: 2 }));
  },
);

test('a late failure changes nothing, neither after a failure nor after a success', async () => {
  const { id, claim } = await oneDue();
  const a = await claim(0, failed('exhausted', { httpStatus: 500 }));
  const b = await claim(60, failed('pending'));
  await recordResults(database.pool, [b]);
  const before = await stateOf(id);
  await recordResults(database.pool, [a]);
  expect(await stateOf(id)).toEqual({ ...before, attempt_count: 2, extra_attempts: 1 });

  const other = await oneDue();
  const late = await other.claim(0, failed('pending'));
  await recordResults(database.pool, [await other.claim(60)]);
  const after = await stateOf(other.id);
  await recordResults(database.pool, [late]);
  expect(after).toMatchObject({ state: 'delivered', delivered_at: at(61) });
  expect(await stateOf(other.id)).toEqual({ ...after, attempt_count: 2, extra_attempts: 1 });
});

test('a late success leaves a resend wanted that staff asked for since', async () => {
  const { id, claim } = await oneDue();
  const a = await claim(0);
  await recordResults(database.pool, [await claim(60, failed('exhausted'))]);
  await database.pool.query(
    `UPDATE callbacks SET state = 'pending', next_trigger = 'resend', next_attempt_at = $2
     WHERE invoice_id = $1`,
    [id, at(90)],
  );
  const before = await stateOf(id);
  await recordResults(database.pool, [a]);
  expect(await stateOf(id)).toEqual({ ...before, attempt_count: 2, extra_attempts: 1 });
  expect(await claim(90)).toMatchObject({ invoiceId: id });
});
