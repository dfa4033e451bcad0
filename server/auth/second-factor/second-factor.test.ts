import { afterAll, beforeAll, expect, it } from 'vitest';
import { clearSecondFactor } from '../../staff/lost-factor.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type OpenedMerchant, openMerchant } from '../../testing/merchants.ts';
import { codeAt, turnOnSecondFactor } from '../../testing/second-factor.ts';
import { findSession, type StaffSession } from '../sessions.ts';
import { signIn } from '../sign-in.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from './second-factor.ts';
import { findPendingSession, passSecondStep } from './second-step.ts';
import { CODE_DAY_LIMIT, CODE_LIMIT } from './take-code.ts';

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const STEP_MS = 30_000;
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

/** The time after this many steps of the app. */
const at = (steps: number): Date => new Date(START_MS + steps * STEP_MS);

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function merchant(): Promise<OpenedMerchant> {
  const ownerEmail = `owner-${++serial}@example.com`;
  const now = at(0);
  return await openMerchant(database.pool, { name: 'Shop', ownerEmail, actor: OPERATOR, now });
}

async function signInAs({ owner }: OpenedMerchant, now = at(0)): Promise<string> {
  const result = await signIn(database.pool, {
    email: owner.email,
    password: owner.password,
    address: null,
    addressKey: `2001:db8::${++serial}`,
    userAgent: null,
    now,
  });
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  return result.sessionId;
}

function own(session: StaffSession, now: Date) {
  const { id, email } = session.user;
  return { session, actor: { type: 'staff' as const, id, label: email }, now };
}

async function liveSession(id: string, now = at(0)): Promise<StaffSession> {
  const session = await findSession(database.pool, id, now);
  if (!session) throw new Error('no session');
  return session;
}

/** A person whose second factor was turned on at step 0, with that step's code. */
async function withSecondFactor() {
  const { pool } = database;
  const shop = await merchant();
  const session = await liveSession(await signInAs(shop));
  const { password } = shop.owner;
  const made = await turnOnSecondFactor(pool, { session, password, now: at(0) });
  return { shop, session, secret: made.secret, recoveryCodes: made.recoveryCodes };
}

async function pass(sessionId: string, code: string, now: Date) {
  const pending = await findPendingSession(database.pool, sessionId, now);
  if (!pending) throw new Error('nothing waits');
  return await passSecondStep(database.pool, pending, { code, address: null, now });
}

it('a session opens nothing before its code, and everything after', async () => {
  const { shop, secret } = await withSecondFactor();
  const id = await signInAs(shop, at(2));
  expect(await findSession(database.pool, id, at(2))).toBeNull();
  expect(await pass(id, '000000', at(2))).toBe('refused');
  expect(await pass(id, codeAt(secret, at(2)), at(2))).toBe('passed');
  expect((await liveSession(id, at(2))).merchant?.id).toBe(shop.merchantId);
  expect(await findPendingSession(database.pool, id, at(2))).toBeNull();
});

it('the logs of all one’s merchants tell of a sign-in by a code', async () => {
  const { pool } = database;
  const { shop, secret } = await withSecondFactor();
  const other = await openMerchant(pool, {
    ...{ name: 'Other', ownerEmail: shop.owner.email, actor: OPERATOR, now: at(0) },
  });
  const id = await signInAs(shop, at(2));
  expect(await pass(id, codeAt(secret, at(2)), at(2))).toBe('passed');
  const { rows } = await pool.query<{ merchant_id: string }>(
    `SELECT merchant_id FROM audit_log WHERE action = 'session.sign_in' AND target_id = $1
       AND details->>'secondFactor' = 'app'`,
    [shop.owner.userId],
  );
  const merchantIds = rows.map((row) => row.merchant_id);
  expect(merchantIds.sort()).toEqual([shop.merchantId, other.merchantId].sort());
});

it('a session that waits for its code ends after a quarter of an hour', async () => {
  const { shop } = await withSecondFactor();
  const id = await signInAs(shop, at(2));
  expect(await findPendingSession(database.pool, id, at(2 + 29))).not.toBeNull();
  expect(await findPendingSession(database.pool, id, at(2 + 30))).toBeNull();
});

it('a code is taken once, also of two tries at the same moment, and none before it', async () => {
  const { shop, secret } = await withSecondFactor();
  const [first, second] = [await signInAs(shop, at(2)), await signInAs(shop, at(2))];
  const code = codeAt(secret, at(2));
  const outcomes = await Promise.all([pass(first, code, at(2)), pass(second, code, at(2))]);
  expect(outcomes.sort()).toEqual(['passed', 'refused']);
  const third = await signInAs(shop, at(2));
  expect(await pass(third, codeAt(secret, at(1)), at(2))).toBe('refused');
  expect(await pass(third, codeAt(secret, at(3)), at(2))).toBe('passed');
});

it('the code that turned it on does not sign in', async () => {
  const { shop, secret } = await withSecondFactor();
  expect(await pass(await signInAs(shop), codeAt(secret, at(0)), at(0))).toBe('refused');
});

it('ten recovery codes, each usable once, however it is written', async () => {
  const { shop, recoveryCodes } = await withSecondFactor();
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect(first).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  const id = await signInAs(shop, at(2));
  expect(await pass(id, first.toUpperCase().replaceAll('-', ' '), at(2))).toBe('passed');
  expect((await readSecondFactor(database.pool, await liveSession(id, at(2)))).codesLeft).toBe(9);
  const next = await signInAs(shop, at(2));
  expect(await pass(next, first, at(2))).toBe('refused');
  expect(await pass(next, second, at(2))).toBe('passed');
});

/** The results of this many wrong codes, sent at once by somebody who has the password. */
async function guess(shop: OpenedMerchant, count: number, now: Date) {
  const id = await signInAs(shop, now);
  const tries = await Promise.all(Array.from({ length: count }, () => pass(id, '000000', now)));
  const number = (outcome: string) => tries.filter((each) => each === outcome).length;
  return { refused: number('refused'), throttled: number('throttled'), spent: number('spent') };
}

const after = (now: Date, { windowMs }: { windowMs: number }) => new Date(now.getTime() + windowMs);

it('wrong codes at once cost a quarter of an hour, and not the day', async () => {
  const { shop, session, secret } = await withSecondFactor();
  const now = at(2);
  expect(await guess(shop, 40, now)).toEqual({ refused: 10, throttled: 30, spent: 0 });
  expect(await pass(await signInAs(shop, now), codeAt(secret, now), now)).toBe('throttled');
  const renewing = renewRecoveryCodes(database.pool, own(session, now), codeAt(secret, now));
  await expect(renewing).rejects.toThrow('15 minutes, or use your password or a recovery code.');
  const later = after(now, CODE_LIMIT);
  expect(await pass(await signInAs(shop, later), codeAt(secret, later), later)).toBe('passed');
});

it('wrong codes shut nobody out who has a recovery code or the password', async () => {
  const { shop, session, recoveryCodes } = await withSecondFactor();
  const now = at(2);
  await guess(shop, 40, now);
  const renewed = await renewRecoveryCodes(database.pool, own(session, now), shop.owner.password);
  await guess(shop, 40, now);
  const id = await signInAs(shop, now);
  expect(await pass(id, recoveryCodes[0] ?? '', now)).toBe('refused');
  expect(await pass(id, renewed.recoveryCodes[0] ?? '', now)).toBe('passed');
});

it('guesses are counted: so many in a quarter of an hour, and so many in a day', async () => {
  const { shop, session, secret, recoveryCodes } = await withSecondFactor();
  let now = at(2);
  for (let round = 0; round < CODE_DAY_LIMIT.max / CODE_LIMIT.max; round++) {
    expect(await guess(shop, 13, now)).toMatchObject({ refused: 10 });
    now = after(now, CODE_LIMIT);
  }
  expect(await pass(await signInAs(shop, now), codeAt(secret, now), now)).toBe('spent');
  const renewing = renewRecoveryCodes(database.pool, own(session, now), codeAt(secret, now));
  await expect(renewing).rejects.toMatchObject({ code: 'codes_spent' });
  const tomorrow = after(at(2), CODE_DAY_LIMIT);
  const code = codeAt(secret, tomorrow);
  expect(await pass(await signInAs(shop, tomorrow), code, tomorrow)).toBe('passed');
  expect(await guess(shop, 40, tomorrow)).toMatchObject({ refused: 10 });
  const id = await signInAs(shop, tomorrow);
  expect(await pass(id, recoveryCodes[0] ?? '', tomorrow)).toBe('passed');
});

it('a first code that was tried too often for a day is waited for: nothing else takes its place', async () => {
  const { pool } = database;
  const shop = await merchant();
  const session = await liveSession(await signInAs(shop));
  const confirm = (now: Date) => confirmSecondFactor(pool, own(session, now), '000000');
  let now = at(0);
  for (let tries = 0; tries < CODE_DAY_LIMIT.max; tries++) {
    if (tries > 0 && tries % CODE_LIMIT.max === 0) now = after(now, CODE_LIMIT);
    await expect(confirm(now)).rejects.toMatchObject({ kind: 'conflict' });
  }
  await expect(confirm(after(now, CODE_LIMIT))).rejects.toMatchObject({ code: 'proofs_spent' });
});

it('turning it on asks the person’s other sessions for a code', async () => {
  const { pool } = database;
  const shop = await merchant();
  const [mine, other] = [await signInAs(shop), await signInAs(shop)];
  const session = await liveSession(mine);
  const { secret } = await beginSecondFactor(pool, own(session, at(0)), shop.owner.password);
  const wrong = confirmSecondFactor(pool, own(session, at(0)), '000000');
  await expect(wrong).rejects.toMatchObject({ kind: 'validation' });
  expect(await findSession(pool, other, at(0))).not.toBeNull();
  await confirmSecondFactor(pool, own(session, at(0)), codeAt(secret, at(0)));
  expect(await findSession(pool, mine, at(0))).not.toBeNull();
  expect(await findSession(pool, other, at(0))).toBeNull();
  expect(await pass(other, codeAt(secret, at(1)), at(1))).toBe('passed');
});

it('the first one wants the password too: the session alone proves nobody', async () => {
  const { pool } = database;
  const shop = await merchant();
  const session = await liveSession(await signInAs(shop));
  for (const proof of [null, 'wrong']) {
    const begun = beginSecondFactor(pool, own(session, at(0)), proof);
    await expect(begun).rejects.toMatchObject({ kind: 'validation' });
  }
  const confirmed = confirmSecondFactor(pool, own(session, at(0)), '000000');
  await expect(confirmed).rejects.toMatchObject({ kind: 'conflict' });
  expect((await readSecondFactor(pool, session)).enabledAtMs).toBeNull();
});

it('where there is no password the sign-in was ten minutes ago at most', async () => {
  const { pool } = database;
  const shop = await merchant();
  const session = await liveSession(await signInAs(shop));
  await pool.query('UPDATE users SET password_hash = NULL WHERE id = $1', [shop.owner.userId]);
  const tooLate = beginSecondFactor(pool, own(session, at(20)), null);
  await expect(tooLate).rejects.toMatchObject({ kind: 'forbidden' });
  const { secret } = await beginSecondFactor(pool, own(session, at(19)), null);
  await confirmSecondFactor(pool, own(session, at(19)), codeAt(secret, at(19)));
  expect((await readSecondFactor(pool, session)).enabledAtMs).not.toBeNull();
});

it('renewing and turning off want the password or a code', async () => {
  const { pool } = database;
  const { shop, session, secret, recoveryCodes } = await withSecondFactor();
  const me = own(session, at(2));
  const refused = { kind: 'validation' };
  await expect(beginSecondFactor(pool, me, null)).rejects.toMatchObject(refused);
  await expect(renewRecoveryCodes(pool, me, 'wrong')).rejects.toMatchObject(refused);
  await expect(turnOffSecondFactor(pool, me, 'wrong')).rejects.toMatchObject(refused);
  const renewed = await renewRecoveryCodes(pool, me, codeAt(secret, at(2)));
  const id = await signInAs(shop, at(2));
  expect(await pass(id, recoveryCodes[0] ?? '', at(2))).toBe('refused');
  expect(await pass(id, renewed.recoveryCodes[0] ?? '', at(2))).toBe('passed');
  await turnOffSecondFactor(pool, me, shop.owner.password);
  expect(await findSession(pool, await signInAs(shop, at(3)), at(3))).not.toBeNull();
});

it('a new secret waits beside the old one until its first code', async () => {
  const { pool } = database;
  const { shop, session, secret } = await withSecondFactor();
  const begun = await beginSecondFactor(pool, own(session, at(2)), shop.owner.password);
  const id = await signInAs(shop, at(2));
  expect(await pass(id, codeAt(begun.secret, at(2)), at(2))).toBe('refused');
  expect(await pass(id, codeAt(secret, at(2)), at(2))).toBe('passed');
  await confirmSecondFactor(pool, own(session, at(4)), codeAt(begun.secret, at(4)));
  const next = await signInAs(shop, at(6));
  expect(await pass(next, codeAt(secret, at(6)), at(6))).toBe('refused');
  expect(await pass(next, codeAt(begun.secret, at(6)), at(6))).toBe('passed');
});

it('a first code is waited for during a quarter of an hour, and not longer', async () => {
  const { pool } = database;
  const shop = await merchant();
  const session = await liveSession(await signInAs(shop));
  const { secret } = await beginSecondFactor(pool, own(session, at(0)), shop.owner.password);
  const confirmAt = (now: Date) =>
    confirmSecondFactor(pool, own(session, now), codeAt(secret, now));
  for (const now of [at(30), at(-30)]) {
    await expect(confirmAt(now)).rejects.toMatchObject({ kind: 'conflict' });
  }
  await confirmAt(at(29));
  expect(await pass(await signInAs(shop, at(31)), codeAt(secret, at(31)), at(31))).toBe('passed');
});

it('a merchant that demands it: nothing opens without, and it cannot be turned off', async () => {
  const { pool } = database;
  const { shop, session } = await withSecondFactor();
  await pool.query('UPDATE merchants SET require_totp = true WHERE id = $1', [shop.merchantId]);
  const off = turnOffSecondFactor(pool, own(session, at(2)), shop.owner.password);
  await expect(off).rejects.toMatchObject({ kind: 'conflict' });
  expect((await liveSession(session.id)).mustSetUpSecondFactor).toBe(false);
  const other = await merchant();
  const id = await signInAs(other);
  await pool.query('UPDATE merchants SET require_totp = true WHERE id = $1', [other.merchantId]);
  expect((await liveSession(id)).mustSetUpSecondFactor).toBe(true);
});

it('a code with which it could not be turned off works on', async () => {
  const { pool } = database;
  const { shop, session, secret } = await withSecondFactor();
  await pool.query('UPDATE merchants SET require_totp = true WHERE id = $1', [shop.merchantId]);
  const code = codeAt(secret, at(2));
  const off = turnOffSecondFactor(pool, own(session, at(2)), code);
  await expect(off).rejects.toMatchObject({ kind: 'conflict' });
  expect(await pass(await signInAs(shop, at(2)), code, at(2))).toBe('passed');
});

it('the operator lets somebody in who has lost everything, and the log tells', async () => {
  const { pool } = database;
  const { shop, session } = await withSecondFactor();
  const who = { email: shop.owner.email, actor: OPERATOR, now: at(2) };
  expect(await clearSecondFactor(pool, who)).toBe('cleared');
  expect(await clearSecondFactor(pool, who)).toBe('not_found');
  expect(await findSession(pool, session.id, at(2))).toBeNull();
  expect(await findSession(pool, await signInAs(shop, at(2)), at(2))).not.toBeNull();
  const { rowCount } = await pool.query(
    `SELECT FROM audit_log WHERE merchant_id = $1 AND action = 'second_factor.clear'`,
    [shop.merchantId],
  );
  expect(rowCount).toBe(1);
});

it('no secret and no recovery code stands in the database in clear', async () => {
  const { shop, secret, recoveryCodes } = await withSecondFactor();
  const { rows } = await database.pool.query<{ row: string }>(
    `SELECT row_to_json(u)::text AS row FROM users u WHERE id = $1
     UNION ALL SELECT row_to_json(r)::text FROM recovery_codes r WHERE user_id = $1
     UNION ALL SELECT row_to_json(a)::text FROM audit_log a WHERE target_id = $1`,
    [shop.owner.userId],
  );
  const all = rows.map(({ row }) => row).join();
  for (const text of [secret, ...recoveryCodes]) {
    expect(all).not.toContain(text);
    expect(all).not.toContain(Buffer.from(text).toString('hex'));
  }
  expect(all).toContain('second_factor.turn_on');
});
