import { afterAll, beforeAll, expect, it } from 'vitest';
import { metrics } from '../observability/metrics.ts';
import { addOperator, listOperators } from '../operating/operators.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { codeAt, turnOnSecondFactor } from '../testing/second-factor.ts';
import { findPendingSession, passSecondStep } from './second-factor/second-step.ts';
import { CODE_DAY_LIMIT, CODE_LIMIT } from './second-factor/take-code.ts';
import { findSession, listSessions } from './sessions.ts';
import { ACCOUNT_LIMIT, signIn } from './sign-in.ts';

const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function merchant(): Promise<OpenedMerchant> {
  const ownerEmail = `owner-${++serial}@example.com`;
  return await openMerchant(database.pool, {
    ...{ name: 'Shop', ownerEmail, actor: OPERATOR, now: NOW },
  });
}

async function attempt(email: string, password: string, now = NOW) {
  const addressKey = `2001:db8::${++serial}`;
  const from = { address: addressKey, addressKey, userAgent: null, now };
  return await signIn(database.pool, { email, password, ...from });
}

async function entered({ owner }: OpenedMerchant, now = NOW): Promise<string> {
  const result = await attempt(owner.email, owner.password, now);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  return result.sessionId;
}

/** A shop whose owner has a second factor, and the owner's session. */
async function withSecondFactor() {
  const { pool } = database;
  const shop = await merchant();
  const session = await findSession(pool, await entered(shop), NOW);
  if (!session) throw new Error('no session');
  const { password } = shop.owner;
  const { secret } = await turnOnSecondFactor(pool, { session, password, now: NOW });
  return { shop, session, secret };
}

async function giveCode(sessionId: string, code: string, now: Date) {
  const pending = await findPendingSession(database.pool, sessionId, now);
  if (!pending) throw new Error('nothing waits');
  return await passSecondStep(database.pool, pending, { code, address: '2001:db8::bad', now });
}

/** The refusals in the shop's audit log. */
async function refusals({ merchantId }: OpenedMerchant) {
  const { rows } = await database.pool.query<{ action: string; address: string }>(
    `SELECT action, actor_label, address FROM audit_log
     WHERE merchant_id = $1 AND action LIKE '%_refused' ORDER BY id`,
    [merchantId],
  );
  return rows;
}

it('wrong passwords up to the limit stand once in the audit log, for each window', async () => {
  const shop = await merchant();
  const { email } = shop.owner;
  const wrong = async (tries: number, now = NOW) => {
    for (let i = 0; i < tries; i++) await attempt(email, 'wrong', now);
  };
  await wrong(ACCOUNT_LIMIT.max - 1);
  await entered(shop);
  expect(await refusals(shop)).toEqual([]);
  await wrong(ACCOUNT_LIMIT.max + 3);
  const entry = { action: 'session.passwords_refused', actor_label: email };
  await expect.poll(() => refusals(shop)).toMatchObject([entry]);
  await wrong(ACCOUNT_LIMIT.max + 3, after(ACCOUNT_LIMIT.windowMs));
  await expect.poll(() => refusals(shop)).toMatchObject([entry, entry]);
});

it('wrong codes after the right password up to the limit do so too', async () => {
  const { shop } = await withSecondFactor();
  const id = await entered(shop, after(60_000));
  const outcomes = [];
  for (let i = 0; i < CODE_LIMIT.max + 2; i++) {
    outcomes.push(await giveCode(id, '000000', after(60_000)));
  }
  expect(outcomes.slice(-3)).toEqual(['refused', 'throttled', 'throttled']);
  const address = '2001:db8::bad';
  expect(await refusals(shop)).toMatchObject([{ action: 'session.codes_refused', address }]);
});

it('and so do those of a day that reach no quarter of an hour’s limit', async () => {
  const { shop } = await withSecondFactor();
  const perWindow = CODE_LIMIT.max - 1;
  for (let tries = 0; tries < CODE_DAY_LIMIT.max; tries++) {
    const now = after(Math.floor(tries / perWindow + 1) * CODE_LIMIT.windowMs);
    const id = await entered(shop, now);
    expect(await giveCode(id, '000000', now)).toBe('refused');
  }
  expect(await refusals(shop)).toMatchObject([{ action: 'session.codes_refused' }]);
});

it('a session that waits for a code is no sign of life, and stands in no list', async () => {
  const { pool } = database;
  const { shop, session, secret } = await withSecondFactor();
  await addOperator(pool, { email: shop.owner.email, actor: OPERATOR, now: NOW });
  const later = after(60_000);
  const id = await entered(shop, later);
  const seen = async () => {
    const operators = await listOperators(pool);
    return operators.find(({ email }) => email === shop.owner.email)?.lastSeenAtMs;
  };
  expect((await listSessions(pool, session, later)).map((each) => each.id)).toEqual([session.id]);
  expect(await seen()).toBe(NOW.getTime());
  expect(await giveCode(id, codeAt(secret, later), later)).toBe('passed');
  expect(await listSessions(pool, session, later)).toHaveLength(2);
  expect(await seen()).toBe(later.getTime());
});

/** This process's counts for one step. */
async function counted(step: string): Promise<Record<string, number>> {
  const { values } = await metrics().signIns.get();
  const ofStep = values.filter(({ labels }) => labels.step === step);
  return Object.fromEntries(ofStep.map(({ labels, value }) => [labels.outcome, value]));
}

it('each step of a sign-in is counted by what came of it', async () => {
  const { shop, secret } = await withSecondFactor();
  const { passed = 0, refused = 0, throttled = 0 } = await counted('password');
  const codes = await counted('code');
  for (let i = 0; i < ACCOUNT_LIMIT.max + 1; i++) await attempt(shop.owner.email, 'wrong');
  const later = after(ACCOUNT_LIMIT.windowMs);
  const id = await entered(shop, later);
  expect(await counted('password')).toEqual({
    passed: passed + 1,
    refused: refused + ACCOUNT_LIMIT.max,
    throttled: throttled + 1,
  });
  await giveCode(id, '000000', later);
  await giveCode(id, codeAt(secret, later), later);
  const [right = 0, wrong = 0] = [codes.passed, codes.refused];
  expect(await counted('code')).toEqual({ ...codes, passed: right + 1, refused: wrong + 1 });
});
