import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { codeAt, turnOnSecondFactor } from '../testing/second-factor.ts';
import { markBrowser } from './known-browser.ts';
import {
  findReset,
  RESET_ACCOUNT_LIMIT,
  RESET_ADDRESS_LIMIT,
  requestReset,
  resetPassword,
} from './password-reset.ts';
import {
  beginSecondFactor,
  changeOwnPassword,
  confirmSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from './second-factor/second-factor.ts';
import { findSession } from './sessions.ts';
import { ACCOUNT_LIMIT, signIn } from './sign-in.ts';
import { countTry } from './throttle.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_LATER = new Date('2026-11-21T13:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const CHOSEN = 'correct horse battery';

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function person() {
  const { owner, merchantId } = await openMerchant(database.pool, {
    name: 'Shop',
    ownerEmail: `owner-${++serial}@example.com`,
    actor: OPERATOR,
    now: NOW,
  });
  return { ...owner, merchantId, password: owner.password };
}

function attempt(email: string, password: string, now = NOW, browserMarks: string | null = null) {
  const addressKey = `2001:db8::${++serial}`;
  const rest = { address: null, addressKey, userAgent: null, browserMarks, now };
  return signIn(database.pool, { email, password, ...rest });
}

const ask = (email: string, addressKey = `2001:db8::${++serial}`, now = NOW) =>
  requestReset(database.pool, { email, addressKey, now });

async function linkFor(email: string): Promise<string> {
  const result = await ask(email);
  if (result.outcome !== 'accepted' || !result.link) throw new Error('no e-mail');
  return result.link.token;
}

async function reset(token: string, password = CHOSEN, now = NOW): Promise<'changed' | 'gone'> {
  const by = { token, password, address: '192.0.2.1', now };
  return (await resetPassword(database.pool, by)) === 'gone' ? 'gone' : 'changed';
}

/** Resolves when this many transactions wait for another's locks. */
const waiting = (count: number) =>
  until(async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === count;
  });

/** A reset that is finished up to its last step, and commits with `finish`. */
async function heldReset(email: string) {
  const token = await linkFor(email);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE audit_log IN SHARE MODE');
  const resetting = reset(token);
  await waiting(1);
  onTestFinished(async () => {
    await holder.query('ROLLBACK');
    holder.release();
  });
  const finish = async () => {
    await holder.query('COMMIT');
    return await resetting;
  };
  return { finish };
}

/** A signed-in person's session, for changes to their own account. */
async function ownSession(email: string, password: string) {
  const signedIn = await attempt(email, password);
  if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
  const session = await findSession(database.pool, signedIn.sessionId, NOW);
  if (!session) throw new Error('no session');
  const actor = { type: 'staff' as const, id: session.user.id, label: email };
  return { session, actor, now: NOW };
}

it('a link sets the password once and ends every session', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const before = await attempt(email, password);
  if (before.outcome !== 'signed_in') throw new Error(before.outcome);
  const token = await linkFor(email);
  expect(await reset(token)).toBe('changed');
  expect(await findSession(pool, before.sessionId, NOW)).toBeNull();
  expect((await attempt(email, password)).outcome).toBe('refused');
  expect((await attempt(email, CHOSEN)).outcome).toBe('signed_in');
  expect(await reset(token, 'another one of theirs')).toBe('gone');
});

it('two uses of a link at the same moment: one changes the password', async () => {
  const token = await linkFor((await person()).email);
  const outcomes = await Promise.all([reset(token), reset(token, 'another one of theirs')]);
  expect(outcomes.sort()).toEqual(['changed', 'gone']);
});

it('a link ends after an hour, with a newer one used, and never belongs to anybody else', async () => {
  const { email } = await person();
  const [first, second] = [await linkFor(email), await linkFor(email)];
  expect(await findReset(database.pool, first, HOUR_LATER)).toBeNull();
  expect(await reset(first, CHOSEN, HOUR_LATER)).toBe('gone');
  expect(await reset(second)).toBe('changed');
  expect(await reset(first)).toBe('gone');
  expect(await reset('x'.repeat(43))).toBe('gone');
});

it('a weak password is refused and the link still works', async () => {
  const { email } = await person();
  const token = await linkFor(email);
  for (const weak of ['short', 'a'.repeat(20), `${email} ${email}`]) {
    await expect(reset(token, weak)).rejects.toMatchObject({ kind: 'validation' });
  }
  expect(await reset(token)).toBe('changed');
});

it('unknown and disabled addresses are accepted alike, and get no e-mail', async () => {
  const { email, userId } = await person();
  await database.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
  const nothing = { outcome: 'accepted', link: null };
  expect(await ask(email)).toEqual(nothing);
  expect(await ask('nobody@example.com')).toEqual(nothing);
  expect(await ask('nul\0@example.com')).toEqual(nothing);
});

it('a link that is used while the account is being disabled changes nothing', async () => {
  const { pool } = database;
  const { email, userId, password } = await person();
  const token = await linkFor(email);
  const disabling = await pool.connect();
  await disabling.query('BEGIN');
  await disabling.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
  const used = reset(token);
  await waiting(1);
  // The reset waits for the account alone, and locks nothing that disabling needs.
  await disabling.query('UPDATE password_resets SET used_at = now() WHERE user_id = $1', [userId]);
  await disabling.query('COMMIT');
  disabling.release();
  expect(await used).toBe('gone');
  await pool.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [userId]);
  expect((await attempt(email, password)).outcome).toBe('signed_in');
});

it('a sign-in with the password before, which a reset overtakes, is refused', async () => {
  const { email, password } = await person();
  const { finish } = await heldReset(email);
  const entering = attempt(email, password);
  await waiting(2);
  expect(await finish()).toBe('changed');
  expect((await entering).outcome).toBe('refused');
});

it('a change that a reset overtakes is refused, and the reset’s password stays', async () => {
  const { email, password } = await person();
  const own = await ownSession(email, password);
  const { finish } = await heldReset(email);
  const changing = changeOwnPassword(database.pool, own, {
    proof: password,
    password: 'a newer battery',
  });
  const refused = expect(changing).rejects.toMatchObject({ kind: 'validation' });
  await waiting(2);
  expect(await finish()).toBe('changed');
  await refused;
  expect((await attempt(email, CHOSEN)).outcome).toBe('signed_in');
});

it('a second factor that was begun before a new password is not confirmed after it', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const begun = await beginSecondFactor(pool, await ownSession(email, password), password);
  await reset(await linkFor(email));
  const owner = await ownSession(email, CHOSEN);
  const confirming = confirmSecondFactor(pool, owner, codeAt(begun.secret, NOW));
  await expect(confirming).rejects.toMatchObject({ kind: 'conflict' });
  const kept = await beginSecondFactor(pool, owner, CHOSEN);
  await changeOwnPassword(pool, owner, { proof: CHOSEN, password: 'a newer battery' });
  const late = confirmSecondFactor(pool, owner, codeAt(kept.secret, NOW));
  await expect(late).rejects.toMatchObject({ kind: 'conflict' });
});

it.each([
  ['begun', beginSecondFactor],
  ['turned off', turnOffSecondFactor],
  ['given new recovery codes', renewRecoveryCodes],
])('a second factor is not %s by a password that a reset overtakes', async (_, change) => {
  const { pool } = database;
  const { email, password, userId } = await person();
  const own = await ownSession(email, password);
  await turnOnSecondFactor(pool, { ...own, password });
  const factor = async () => {
    const { rows } = await pool.query(
      `SELECT totp_pending, (SELECT array_agg(code_hash ORDER BY code_hash) FROM recovery_codes
       WHERE user_id = u.id) AS codes FROM users u WHERE id = $1`,
      [userId],
    );
    return { ...(await readSecondFactor(pool, own.session)), ...rows[0] };
  };
  const before = await factor();
  const { finish } = await heldReset(email);
  const refused = expect(change(pool, own, password)).rejects.toMatchObject({ kind: 'validation' });
  await waiting(2);
  expect(await finish()).toBe('changed');
  await refused;
  expect(await factor()).toEqual(before);
});

it('nor one whose first code a new password overtakes', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const own = await ownSession(email, password);
  const begun = await beginSecondFactor(pool, own, password);
  const { finish } = await heldReset(email);
  const late = confirmSecondFactor(pool, own, codeAt(begun.secret, NOW)).catch((error) => error);
  await waiting(2);
  expect([await finish(), await late]).toMatchObject(['changed', { kind: 'conflict' }]);
});

it('a change by a session that has ended meanwhile is refused', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const own = await ownSession(email, password);
  await pool.query('DELETE FROM sessions WHERE id = $1', [own.session.id]);
  const changing = changeOwnPassword(pool, own, { proof: password, password: CHOSEN });
  await expect(changing).rejects.toMatchObject({ kind: 'validation' });
  expect((await attempt(email, password)).outcome).toBe('signed_in');
});

it('e-mails are counted for an account, known or not, and for a network address', async () => {
  const { email } = await person();
  for (const address of [email, 'unknown@example.com']) {
    const asked = await Promise.all(
      Array.from({ length: RESET_ACCOUNT_LIMIT.max + 2 }, () => ask(address)),
    );
    const accepted = asked.filter(({ outcome }) => outcome === 'accepted');
    expect(accepted).toHaveLength(RESET_ACCOUNT_LIMIT.max);
  }
  const from = '192.0.2.9';
  for (let i = 0; i < RESET_ADDRESS_LIMIT.max; i++) {
    expect((await ask(`person-${i}@example.com`, from)).outcome).toBe('accepted');
  }
  expect((await ask('one-more@example.com', from)).outcome).toBe('throttled');
});

it('a reset lets somebody in who was locked out by guesses', async () => {
  const { email } = await person();
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) await attempt(email, 'wrong password');
  expect((await attempt(email, CHOSEN)).outcome).toBe('throttled');
  await reset(await linkFor(email));
  expect((await attempt(email, CHOSEN)).outcome).toBe('signed_in');
});

it('who set a new password gets in with that browser, whatever strangers try meanwhile', async () => {
  const { email } = await person();
  const by = { token: await linkFor(email), password: CHOSEN, address: null, now: NOW };
  const account = await resetPassword(database.pool, by);
  if (account === 'gone') throw new Error(account);
  const browserMarks = markBrowser(account, null);
  for (let i = 0; i < ACCOUNT_LIMIT.max; i++) await attempt(email, 'wrong password');
  expect((await attempt(email, CHOSEN)).outcome).toBe('throttled');
  expect((await attempt(email, CHOSEN, NOW, browserMarks)).outcome).toBe('signed_in');
});

it('the token is nowhere in the database, and the log of the merchant tells of the change', async () => {
  const { email, merchantId } = await person();
  const token = await linkFor(email);
  const { rows } = await database.pool.query(
    'SELECT row_to_json(r)::text AS r FROM password_resets r',
  );
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  await reset(token);
  const { rows: log } = await database.pool.query(
    `SELECT actor_label, address, details FROM audit_log
     WHERE merchant_id = $1 AND action = 'password.reset'`,
    [merchantId],
  );
  expect(log).toEqual([{ actor_label: email, address: '192.0.2.1', details: null }]);
});

it('changing one’s password wants the old one and ends the other sessions only', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const own = await ownSession(email, password);
  const { session: other } = await ownSession(email, password);
  const change = (proof: string, chosen: string) =>
    changeOwnPassword(pool, own, { proof, password: chosen });
  await expect(change('wrong', CHOSEN)).rejects.toMatchObject({ code: 'proof_wrong' });
  await expect(change(password, 'short')).rejects.toMatchObject({ code: 'password_length' });
  await change(password, CHOSEN);
  expect(await findSession(pool, own.session.id, NOW)).not.toBeNull();
  expect(await findSession(pool, other.id, NOW)).toBeNull();
  expect((await attempt(email, CHOSEN)).outcome).toBe('signed_in');
});

it('a new password that is too weak costs no recovery code', async () => {
  const { pool } = database;
  const { email, password } = await person();
  const own = await ownSession(email, password);
  const { recoveryCodes } = await turnOnSecondFactor(pool, { ...own, password });
  const [proof = ''] = recoveryCodes;
  const codesLeft = async () => (await readSecondFactor(pool, own.session)).codesLeft;
  const weak = changeOwnPassword(pool, own, { proof, password: 'short' });
  await expect(weak).rejects.toMatchObject({ code: 'password_length' });
  expect(await codesLeft()).toBe(10);
  await changeOwnPassword(pool, own, { proof, password: CHOSEN });
  expect(await codesLeft()).toBe(9);
});

it('tries of the old password are counted', async () => {
  const { pool } = database;
  const { email, password, userId } = await person();
  const own = await ownSession(email, password);
  for (let i = 0; i < 10; i++) {
    await countTry(pool, `proof ${userId}`, { max: 10, windowMs: 900_000 }, NOW);
  }
  const change = changeOwnPassword(pool, own, { proof: password, password: CHOSEN });
  await expect(change).rejects.toMatchObject({ kind: 'rate_limited' });
});
