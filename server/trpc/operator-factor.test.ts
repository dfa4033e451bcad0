import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findSession } from '../auth/sessions.ts';
import { addOperator } from '../operating/operators.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { forgetSettings } from '../testing/settings.ts';
import { callerOf, newSession } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let pool: pg.Pool;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(async () => {
  demand('optional');
  await database.drop();
});

function demand(value: 'optional' | 'required'): void {
  vi.unstubAllEnvs();
  if (value === 'required') vi.stubEnv('OPERATOR_SECOND_FACTOR', value);
  forgetSettings();
}

/** An operator who acts for a merchant, before the gateway requires a second factor. */
async function acting() {
  demand('optional');
  const email = `operator-${++serial}@example.com`;
  await addOperator(pool, { email, actor: COMMAND, now: NOW });
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  const { id: merchantId } = await createMerchantFixture(pool);
  const { id } = await newSession(pool, userId, NOW);
  const session = async () => {
    const found = await findSession(pool, id, NOW);
    if (!found) throw new Error('no session');
    return found;
  };
  const calls = async () => callerOf(pool, await session(), { now: NOW });
  await (await calls()).operator.act({ merchantId });
  const setUp = async () => {
    const at = NOW.toISOString();
    await pool.query(
      `UPDATE users SET totp_enabled_at = $2::timestamptz, totp_secret = '' WHERE id = $1`,
      [userId, at],
    );
    await pool.query('UPDATE sessions SET second_factor_at = $2::timestamptz WHERE id = $1', [
      id,
      at,
    ]);
  };
  return { userId, merchantId, session, calls, setUp };
}

it('where nobody demands it, an operator without a second factor sees and acts', async () => {
  const { session, calls, merchantId } = await acting();
  const found = await session();
  expect(found).toMatchObject({ hasSecondFactor: false, mustSetUpAsOperator: false });
  expect(found.merchant?.id).toBe(merchantId);
  await expect((await calls()).operator.merchants({})).resolves.toBeDefined();
});

it('whoever is no operator any more acts for nobody, though their session says so', async () => {
  const { session, userId } = await acting();
  await pool.query('UPDATE users SET is_operator = false WHERE id = $1', [userId]);
  expect(await session()).toMatchObject({
    isOperator: false,
    impersonatingUntilMs: null,
    merchant: null,
  });
});

it('where the gateway demands it, nothing opens and nobody is acted for before it is set up', async () => {
  const { session, calls, merchantId, setUp } = await acting();
  demand('required');
  expect(await session()).toMatchObject({ mustSetUpAsOperator: true, merchant: null });
  const before = await calls();
  const refusal = { code: 'FORBIDDEN', message: 'Set up a second factor first.' };
  await expect(before.operator.overview({ environment: 'production' })).rejects.toMatchObject(
    refusal,
  );
  await expect(before.operator.act({ merchantId })).rejects.toMatchObject(refusal);
  await expect(before.invoices.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  // These set it up.
  await expect(before.security.secondFactor()).resolves.toMatchObject({ enabledAtMs: null });
  await setUp();
  const after = await session();
  expect(after).toMatchObject({ hasSecondFactor: true, mustSetUpAsOperator: false });
  expect(after.merchant?.id).toBe(merchantId);
  await expect((await calls()).operator.merchants({})).resolves.toBeDefined();
});

it('the dashboard of their own merchant opens to an operator all the same', async () => {
  const { session, calls, userId } = await acting();
  const { id: merchantId } = await createMerchantFixture(pool);
  await setMember(pool, { merchantId, userId, role: 'owner', now: NOW });
  demand('required');
  const { merchant, mustSetUpAsOperator } = await session();
  expect(merchant).toMatchObject({ id: merchantId, role: 'owner' });
  expect(mustSetUpAsOperator).toBe(true);
  await expect((await calls()).invoices.list({})).resolves.toBeDefined();
});

it('where the gateway demands it, no operator turns theirs off', async () => {
  const { calls, setUp } = await acting();
  await setUp();
  const turnOff = async () => (await calls()).security.turnOffSecondFactor({ proof: 'wrong' });
  // Without the requirement the call gets as far as the proof.
  await expect(turnOff()).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  demand('required');
  const state = (await calls()).security.secondFactor();
  await expect(state).resolves.toMatchObject({ isDemandedOfOperators: true });
  await expect(turnOff()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The gateway requires a second factor from its operators, so it stays on.',
  });
});

it('it is no demand on anybody else', async () => {
  demand('required');
  const { id: userId } = await findOrCreateUser(pool, { email: 'staff@example.com', now: NOW });
  const session = await newSession(pool, userId, NOW);
  expect(session.mustSetUpAsOperator).toBe(false);
  const calls = callerOf(pool, session, { now: NOW });
  const state = calls.security.secondFactor();
  await expect(state).resolves.toMatchObject({ isDemandedOfOperators: false });
  const refused = calls.operator.overview({ environment: 'production' });
  await expect(refused).rejects.toMatchObject({
    message: 'This is only for the gateway’s operators.',
  });
});
