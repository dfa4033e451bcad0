import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMerchant } from '../merchants/mutations.ts';
import { addOperator } from '../operating/operators.ts';
import { addOwner } from '../staff/add-owner.ts';
import { setPersonStatus } from '../staff/person-status.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { findReset, requestReset, resetPassword } from './password-reset.ts';
import { signInByProvider } from './provider-sign-in.ts';
import { signIn } from './sign-in.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_LATER = new Date(NOW.getTime() + 7 * DAY_MS);
const COMMAND = { type: 'operator', id: null, label: 'gateway command' } as const;
const CHOSEN = 'correct horse battery';

let database: TestDatabase;
let pool: pg.Pool;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(() => database.drop());

async function shop() {
  const ownerEmail = `owner-${++serial}@example.com`;
  const { merchantId, owner } = await createMerchant(pool, {
    ...{ name: 'Shop', ownerEmail, actor: COMMAND, now: NOW },
  });
  if (!owner.link) throw new Error('no link');
  const { token } = owner.link;
  const again = (now = NOW) =>
    addOwner(pool, { merchantId, email: owner.email, actor: COMMAND, now });
  return { ...owner, link: owner.link, token, merchantId, again };
}

const set = (token: string, now = NOW) =>
  resetPassword(pool, { token, password: CHOSEN, address: '192.0.2.1', now });

const enter = async (email: string, password: string) => {
  const from = { address: null, addressKey: `2001:db8::${++serial}`, userAgent: null, now: NOW };
  return (await signIn(pool, { email, password, ...from })).outcome;
};

const enterByProvider = (email: string) =>
  signInByProvider(pool, {
    ...{ email, provider: 'oidc', address: null, userAgent: null, sessionBefore: null, now: NOW },
  });

async function told(merchantId: string | null, userId: string) {
  const { rows } = await pool.query(
    `SELECT action, actor_label AS by FROM audit_log
     WHERE target_id = $1 AND merchant_id IS NOT DISTINCT FROM $2
       AND action IN ('person.invite', 'password.set', 'password.reset') ORDER BY id`,
    [userId, merchantId],
  );
  return rows;
}

it('a new owner has no password until they set one by the link, which works for a week, once', async () => {
  const { email, userId, token, link, merchantId } = await shop();
  expect(await enter(email, '')).toBe('refused');
  expect(link.expiresAt).toEqual(WEEK_LATER);
  expect(await findReset(pool, token, WEEK_LATER)).toBeNull();
  expect(await findReset(pool, token, new Date(WEEK_LATER.getTime() - 1))).toEqual({
    ...{ userId, email, isFirst: true },
  });
  expect(await set(token)).toMatchObject({ isFirst: true });
  expect(await enter(email, CHOSEN)).toBe('signed_in');
  expect(await set(token)).toBe('gone');
  expect(await told(merchantId, userId)).toEqual([
    { action: 'person.invite', by: 'gateway command' },
    { action: 'password.set', by: email },
  ]);
});

it('so has a new operator', async () => {
  const email = `operator-${++serial}@example.com`;
  const wish = { email, actor: COMMAND, now: NOW };
  const { outcome, link } = await addOperator(pool, wish);
  expect(outcome).toBe('added');
  const again = await addOperator(pool, wish);
  expect(again).toMatchObject({ outcome: 'unchanged', link: { email } });
  expect(await set(link?.token ?? '')).toBe('gone');
  expect(await set(again.link?.token ?? '')).toMatchObject({ isFirst: true });
  expect(await addOperator(pool, wish)).toMatchObject({ outcome: 'unchanged', link: null });
});

it('who has not come yet gets another link, by the command or by themselves', async () => {
  const { again, token, email, userId, merchantId } = await shop();
  const added = await again(WEEK_LATER);
  if (added === 'not_found' || !added.link) throw new Error('no link');
  expect(added).toMatchObject({ outcome: 'unchanged', email, merchantName: 'Shop' });
  const asked = await requestReset(pool, { email, addressKey: 'test', now: WEEK_LATER });
  if (asked.outcome !== 'accepted' || !asked.link) throw new Error('no e-mail');
  expect(await set(token, WEEK_LATER)).toBe('gone');
  expect(await set(added.link.token, WEEK_LATER)).toMatchObject({ isFirst: true });
  expect(await findReset(pool, asked.link.token, WEEK_LATER)).toBeNull();
  const actions = (await told(merchantId, userId)).map(({ action }) => action);
  expect(actions).toEqual(['person.invite', 'person.invite', 'password.set']);
});

it('an account in use gets no link: by a password, or by a provider alone', async () => {
  const opened = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: `owner-${++serial}@example.com`, actor: COMMAND, now: NOW },
  });
  expect(opened.owner.link).toBeNull();
  const { email, userId, again, merchantId } = await shop();
  await enterByProvider(email);
  expect(await again()).toMatchObject({ outcome: 'unchanged', link: null });
  expect(await told(merchantId, userId)).toHaveLength(1);
});

it('a link that others were shown ends when its person comes in by a provider', async () => {
  const { email, token } = await shop();
  await enterByProvider(email);
  expect(await set(token)).toBe('gone');
});

it('and when the account is disabled', async () => {
  const { email, token, again } = await shop();
  const change = { email, actor: COMMAND, now: NOW };
  await setPersonStatus(pool, { ...change, status: 'disabled' });
  await expect(again()).rejects.toMatchObject({ kind: 'conflict' });
  await setPersonStatus(pool, { ...change, status: 'active' });
  expect(await set(token)).toBe('gone');
  expect(await again()).toMatchObject({ link: { email } });
});

it('a link that is wished for while a password is being set does not come after it', async () => {
  const { token, again } = await shop();
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE audit_log IN SHARE MODE');
  const waiting = (count: number) =>
    until(async () => {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === count;
    });
  const setting = set(token);
  await waiting(1);
  const added = again();
  await waiting(2);
  await holder.query('COMMIT');
  holder.release();
  expect(await setting).toMatchObject({ isFirst: true });
  expect(await added).toMatchObject({ outcome: 'unchanged', link: null });
});
