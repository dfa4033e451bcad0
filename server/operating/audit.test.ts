import { afterAll, beforeAll, expect, it } from 'vitest';
import { signOut } from '../auth/end-sessions.ts';
import { openSession } from '../auth/sign-in.ts';
import { setMerchantStatus } from '../merchants/mutations.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { setPersonStatus } from '../staff/person-status.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { explained, type Plan } from '../testing/database/plans.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { refuseAudit } from '../testing/refused-audit.ts';
import { callerOf, newSession } from '../testing/staff.ts';
import { type DeedFilter, listDeedChoices, listDeeds } from './audit.ts';
import { addOperator, removeOperator } from './operators.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const COMMAND = { type: 'operator', id: null, label: 'gateway command (root)' } as const;
const EMAIL = 'operator@example.com';
const ALL: DeedFilter = {
  operator: null,
  action: null,
  merchant: null,
  fromMs: null,
  untilMs: null,
  cursor: null,
  limit: 50,
};

let database: TestDatabase;
let one: OpenedMerchant;
let other: OpenedMerchant;
let operatorId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const open = (name: string) =>
    openMerchant(pool, { name, ownerEmail: 'owner@example.com', actor: COMMAND, now: NOW });
  one = await open('Samarkand Rugs');
  other = await open('Bukhara Silk');
  await addOperator(pool, { email: EMAIL, actor: COMMAND, now: NOW });
  operatorId = (await findOrCreateUser(pool, { email: EMAIL, now: NOW })).id;
  // An operator may be on merchants' staff as well.
  for (const { merchantId } of [one, other]) {
    await setMember(pool, { merchantId, userId: operatorId, role: 'viewer', now: NOW });
  }
});
afterAll(() => database.drop());

const list = (filter: Partial<DeedFilter> = {}) => listDeeds(database.pool, { ...ALL, ...filter });

/** What was done from this minute on: action, author and merchant, the newest first. */
async function deedsFrom(minute: number) {
  const { entries } = await list({
    fromMs: at(minute).getTime(),
    untilMs: at(minute + 1).getTime(),
  });
  return entries.map(({ action, actor, merchant }) => [action, actor, merchant?.name ?? null]);
}

it('what an operator does to a merchant stands there once', async () => {
  const { pool } = database;
  const { operator } = callerOf(pool, await newSession(pool, operatorId, at(1)), { now: at(1) });
  const { merchantId } = one;
  await operator.setStatus({ merchantId, status: 'suspended' });
  expect(await deedsFrom(1)).toEqual([['merchant.suspend', EMAIL, 'Samarkand Rugs']]);
  // Nothing changes, so nothing is told.
  await operator.setStatus({ merchantId, status: 'suspended' });
  expect(await deedsFrom(1)).toHaveLength(1);
  await setMerchantStatus(pool, { merchantId, status: 'active', actor: COMMAND, now: at(2) });
  expect(await deedsFrom(2)).toEqual([['merchant.resume', COMMAND.label, 'Samarkand Rugs']]);
});

it('the beginning and the end of an impersonation, each once', async () => {
  const { pool } = database;
  const now = at(3);
  const { operator } = callerOf(pool, await newSession(pool, operatorId, now), { now });
  await operator.act({ merchantId: other.merchantId });
  await operator.endAct();
  const { entries } = await list({ merchant: other.merchantId });
  const told = entries
    .map(({ action }) => action)
    .filter((each) => each.startsWith('merchant.act'));
  expect(told.toSorted()).toEqual(['merchant.act_begin', 'merchant.act_end']);
});

it('an operator’s sign-in stands once, and once in the log of each merchant of theirs', async () => {
  const { pool } = database;
  const enter = { address: '192.0.2.1', userAgent: null, sessionBefore: undefined, now: at(5) };
  const id = await openSession(pool, { id: operatorId, email: EMAIL }, enter);
  expect(await deedsFrom(5)).toEqual([['session.sign_in', EMAIL, null]]);
  await signOut(pool, { sessionId: id, address: null, now: at(6) });
  expect(await deedsFrom(6)).toEqual([['session.sign_out', EMAIL, null]]);
  const { rows } = await pool.query(
    `SELECT merchant_id, actor_type FROM audit_log WHERE action = 'session.sign_in'
     ORDER BY merchant_id NULLS FIRST`,
  );
  const ofMerchants = [one, other].map(({ merchantId }) => merchantId).toSorted();
  expect(rows).toEqual([
    { merchant_id: null, actor_type: 'operator' },
    ...ofMerchants.map((merchant_id) => ({ merchant_id, actor_type: 'staff' })),
  ]);
});

it('the sign-in of a merchant’s staff is none of the operators’ deeds', async () => {
  const { pool } = database;
  const enter = { address: null, userAgent: null, sessionBefore: undefined, now: at(7) };
  await openSession(pool, { id: one.owner.userId, email: 'owner@example.com' }, enter);
  expect(await deedsFrom(7)).toEqual([]);
});

it('a deed on a person of two merchants stands once, and with each of the two', async () => {
  const { pool } = database;
  const email = 'owner@example.com';
  await setPersonStatus(pool, { email, status: 'disabled', actor: COMMAND, now: at(8) });
  await setPersonStatus(pool, { email, status: 'active', actor: COMMAND, now: at(9) });
  expect((await deedsFrom(9)).map(([action]) => action)).toEqual(['person.enable']);
  for (const merchant of ['samarkand', other.merchantId]) {
    const { entries } = await list({ merchant, action: 'person.enable' });
    expect(entries).toHaveLength(1);
  }
});

it('by operator, deed, merchant and day; pages join without a gap or a repeat', async () => {
  const all = (await list()).entries;
  const ofCommand = (await list({ operator: COMMAND.label })).entries;
  expect(ofCommand).toEqual(all.filter(({ actor }) => actor === COMMAND.label));
  expect(ofCommand.length).toBeLessThan(all.length);
  const suspended = (await list({ action: 'merchant.suspend' })).entries;
  expect(suspended).toEqual(all.filter(({ action }) => action === 'merchant.suspend'));
  expect((await list({ merchant: 'no such' })).entries).toEqual([]);
  expect((await list({ untilMs: NOW.getTime() })).entries).toEqual([]);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ cursor, limit: 2 });
    seen.push(...page.entries.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(all.map(({ id }) => id));
  const { operators, actions } = await listDeedChoices(database.pool);
  expect(operators).toEqual([COMMAND.label, EMAIL]);
  expect(actions).toEqual([...new Set(all.map(({ action }) => action))].toSorted());
});

it('a page of it reads only its own entries, however many others did what', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO audit_log (at, actor_type, actor_id, actor_label, merchant_id, action)
     SELECT $1::timestamptz + n * interval '1 second', 'staff', 'usr_x', 'x@example.com', $2, 'x'
     FROM generate_series(1, 20000) n`,
    [at(60).toISOString(), one.merchantId],
  );
  await pool.query('ANALYZE audit_log');
  const reads: Plan[] = [];
  await listDeeds(explained(pool, reads), { ...ALL, limit: 10 });
  await listDeedChoices(explained(pool, reads));
  for (const read of reads) {
    expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThan(200);
    expect(read['Rows Removed by Filter'] ?? 0).toBeLessThan(200);
  }
});

it('a deed that is not told is not done', async () => {
  const { pool } = database;
  await refuseAudit(pool);
  const { merchantId } = one;
  const change = { merchantId, status: 'suspended', actor: COMMAND, now: at(90) } as const;
  await expect(setMerchantStatus(pool, change)).rejects.toThrow('no entry');
  await expect(
    removeOperator(pool, { email: EMAIL, actor: COMMAND, now: at(90) }),
  ).rejects.toThrow();
  const { rows } = await pool.query(
    'SELECT m.status, u.is_operator FROM merchants m, users u WHERE m.id = $1 AND u.id = $2',
    [merchantId, operatorId],
  );
  expect(rows).toEqual([{ status: 'active', is_operator: true }]);
  expect(await deedsFrom(90)).toEqual([]);
});
