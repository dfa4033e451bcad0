import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { turnOnSecondFactor } from '../testing/second-factor.ts';
import { newSession } from '../testing/staff.ts';
import { authOptions, type Caller } from './next-auth.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
} from './second-factor/second-factor.ts';
import { findPendingSession, passSecondStep } from './second-factor/second-step.ts';
import { signIn } from './sign-in.ts';
import { acceptInvitation, openInvitation, passwordLinkOwner, setPassword } from './signed-out.ts';

const NOW = new Date();
const FROM = { address: '192.0.2.7', requestId: 'req_7' };
const VISIT = { ...FROM, cookies: {} };

type Line = { what?: string; outcome?: string; account?: string };

let lines: Line[] = [];
let serial = 0;

const process = vi.hoisted(() => ({ database: null as unknown as TestDatabase }));
vi.mock(import('../db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => process.database.pool,
}));

beforeAll(async () => {
  process.database = await createTestDatabase();
});
beforeEach(() => {
  lines = [];
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => process.database.drop());

async function newOwner() {
  const { owner } = await openMerchant(process.database.pool, {
    name: 'Shop',
    ownerEmail: `owner-${++serial}@example.com`,
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const session = await newSession(process.database.pool, owner.userId, NOW);
  const actor = { type: 'staff', id: owner.userId, label: owner.email, ...FROM } as const;
  return { ...owner, own: { session, actor, requestId: FROM.requestId, now: NOW } };
}

function tryPassword(email: string, addressKey = 'test') {
  const given = { email, password: 'wrong', userAgent: null, addressKey, now: NOW };
  return signIn(process.database.pool, { ...given, ...FROM });
}

const passwords = async () => {
  const { values } = await metrics().refusals.get();
  const of = values.filter(({ labels }) => labels.what === 'password');
  return Object.fromEntries(of.map(({ labels, value }) => [labels.outcome, value]));
};

it('a hundred sign-ins that fail leave a line each, and one of the spray that they are', async () => {
  const before = await passwords();
  for (let nth = 0; nth <= 100; nth++) await tryPassword(`nobody-${nth}@example.com`);
  const refused = lines.filter(({ what }) => what === 'password');
  expect(refused.length).toBeGreaterThanOrEqual(100);
  expect(refused[0]).toMatchObject({ outcome: 'refused', ...FROM });
  expect(new Set(refused.map(({ account }) => account)).size).toBe(refused.length);
  expect(lines.filter((line) => 'accounts' in line)).toEqual([
    { address: FROM.address, accounts: 10 },
  ]);
  // More tries than one network may make.
  const { refused: wrong = 0, throttled = 0 } = before;
  expect(await passwords()).toEqual({ refused: wrong + 100, throttled: throttled + 1 });
});

it('a sign-in that passes leaves none', async () => {
  const { email, password } = await newOwner();
  const given = { email, password, userAgent: null, addressKey: 'own', now: NOW };
  expect(await signIn(process.database.pool, { ...given, ...FROM })).toMatchObject({
    outcome: 'signed_in',
  });
  expect(lines).toEqual([]);
});

it('codes and recovery codes that are wrong leave one', async () => {
  const { pool } = process.database;
  const { own, password, userId } = await newOwner();
  await turnOnSecondFactor(pool, { session: own.session, password, now: NOW });
  await pool.query('UPDATE sessions SET second_factor_at = NULL WHERE user_id = $1', [userId]);
  const pending = await findPendingSession(pool, own.session.id, NOW);
  if (!pending) throw new Error('nothing waits');
  for (const code of ['000000', 'abcd-efgh-jkmn-pqrs']) {
    expect(await passSecondStep(pool, pending, { code, ...FROM, now: NOW })).toBe('refused');
  }
  const account = expect.stringMatching(/^[\w-]{16}$/);
  expect(lines).toEqual([
    { what: 'code', outcome: 'refused', account, ...FROM },
    { what: 'recovery_code', outcome: 'refused', account, ...FROM },
  ]);
});

it('and so do proofs of who is signed in, and a new app’s first code', async () => {
  const { pool } = process.database;
  const { own, password } = await newOwner();
  await expect(renewRecoveryCodes(pool, own, 'wrong')).rejects.toMatchObject({
    kind: 'validation',
  });
  await beginSecondFactor(pool, own, password);
  for (let tries = 0; tries <= 10; tries++) {
    await expect(confirmSecondFactor(pool, own, '000000')).rejects.toThrow();
  }
  const proof = { what: 'proof', account: expect.any(String), ...FROM };
  expect(lines).toEqual([
    ...new Array(11).fill({ ...proof, outcome: 'refused' }),
    { ...proof, outcome: 'throttled' },
  ]);
});

it('and so do links of e-mails that lead nowhere, opened or used', async () => {
  const token = 'x'.repeat(43);
  const used = { token, password: 'correct horse battery' };
  expect(await passwordLinkOwner(token, VISIT)).toBeNull();
  expect(await setPassword(used, VISIT, () => undefined)).toBe('gone');
  expect(await openInvitation(token, VISIT)).toBeNull();
  expect(await acceptInvitation(token, used.password, VISIT)).toBe('gone');
  expect(lines).toEqual(new Array(4).fill({ what: 'link', outcome: 'refused', ...FROM }));
});

type SignIn = (by: { user: object; account: object }) => Promise<unknown>;

it('and so does who comes by a provider and is not known here', async () => {
  const caller: Caller = {
    ...FROM,
    addressKey: 'test',
    userAgent: null,
    browserMarks: null,
    sessionBefore: null,
  };
  const listener = { stillOpen: () => undefined, known: () => undefined };
  const signInBy = authOptions(caller, listener).callbacks?.signIn as unknown as SignIn;
  const account = { type: 'oauth' };
  await signInBy({ user: { email: 'stranger@example.com' }, account });
  await signInBy({ user: {}, account });
  const refused = { what: 'provider', outcome: 'refused', ...FROM };
  expect(lines).toEqual([{ ...refused, account: expect.any(String) }, refused]);
});
