import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinByLink } from '../auth/invite.ts';
import { requestReset, resetPassword } from '../auth/password-reset.ts';
import { isWelcome, signInByProvider } from '../auth/provider-sign-in.ts';
import { beginSecondFactor, confirmSecondFactor } from '../auth/second-factor/second-factor.ts';
import { findPendingSession, passSecondStep } from '../auth/second-factor/second-step.ts';
import { createSession, findSession } from '../auth/sessions.ts';
import { signIn } from '../auth/sign-in.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { beginImpersonation } from '../operating/impersonation.ts';
import { addOperator, removeOperator } from '../operating/operators.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { codeAt, turnOnSecondFactor } from '../testing/second-factor.ts';
import { acceptInvitations, createInvitation, findInvitation } from './invitations.ts';
import { clearSecondFactor } from './lost-factor.ts';
import { findOrCreateUser, setMember } from './members.ts';
import { setPersonStatus } from './person-status.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const NOWHERE = { address: null, userAgent: null, now: NOW };
const CHOSEN = 'correct horse battery';

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function shop() {
  const { pool } = database;
  const { merchantId, owner } = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: `owner-${++serial}@example.com` },
    ...{ actor: OPERATOR, now: NOW },
  });
  const actor = { type: 'staff' as const, id: owner.userId, label: owner.email };
  const invite = (email: string) =>
    createInvitation(pool, grantTenant(merchantId, 'sandbox'), {
      ...{ email, role: 'viewer', locale: 'en' },
      ...{ actor, now: NOW },
    });
  return { merchantId, owner, actor, invite };
}

const set = (email: string, status: 'active' | 'disabled') =>
  setPersonStatus(database.pool, { email, status, actor: OPERATOR, now: NOW });

const enter = (email: string, password: string) =>
  signIn(database.pool, { email, password, addressKey: `2001:db8::${++serial}`, ...NOWHERE });

async function sessionOf({ owner }: Awaited<ReturnType<typeof shop>>): Promise<string> {
  const result = await enter(owner.email, owner.password);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  return result.sessionId;
}

async function resetLink(email: string): Promise<string> {
  const addressKey = `2001:db8::${++serial}`;
  const result = await requestReset(database.pool, { email, addressKey, now: NOW });
  if (result.outcome !== 'accepted' || !result.link) throw new Error('no e-mail');
  return result.link.token;
}

const reset = (token: string) =>
  resetPassword(database.pool, { token, password: CHOSEN, address: null, now: NOW });

it('a disabled person is out at once and comes in by no way', async () => {
  const { pool } = database;
  const first = await shop();
  const { email } = first.owner;
  const sessionId = await sessionOf(first);
  const token = await resetLink(email);
  const invitation = await (await shop()).invite(email);
  expect(await set(email.toUpperCase(), 'disabled')).toBe('changed');
  expect(await findSession(pool, sessionId, NOW)).toBeNull();
  expect((await enter(email, first.owner.password)).outcome).toBe('refused');
  expect(await isWelcome(pool, email, NOW)).toBe(false);
  const byProvider = signInByProvider(pool, { email, provider: 'oidc', ...NOWHERE });
  await expect(byProvider).rejects.toThrow('disabled');
  expect(await reset(token)).toBe('gone');
  expect(await findInvitation(pool, invitation.token, NOW)).toBeNull();
  const joining = { token: invitation.token, password: CHOSEN, sessionId, ...NOWHERE };
  expect(await joinByLink(pool, joining)).toBe('gone');
  const accepting = acceptInvitations(pool, { email }, { passwordHash: null, ...NOWHERE });
  await expect(accepting).rejects.toMatchObject({ kind: 'conflict' });
});

it('an account of an address that no new one may have is found by each of the operator’s commands', async () => {
  const { pool } = database;
  const email = 'kim,(night)@example.com';
  await pool.query(
    `INSERT INTO users (id, email, totp_secret, totp_enabled_at, is_operator, created_at)
     VALUES ('usr_odd', $1, '\\x00', $2, true, $2)`,
    [email, NOW.toISOString()],
  );
  const by = { email: ` ${email.toUpperCase()}`, actor: OPERATOR, now: NOW };
  expect(await set(by.email, 'disabled')).toBe('changed');
  expect(await set(by.email, 'active')).toBe('changed');
  expect(await clearSecondFactor(pool, by)).toBe('cleared');
  expect(await removeOperator(pool, by)).toBe('removed');
});

it('enabled, they sign in as before; sessions and links of the time before stay ended', async () => {
  const { pool } = database;
  const first = await shop();
  const { userId, email } = first.owner;
  const before = await sessionOf(first);
  const token = await resetLink(email);
  await set(email, 'disabled');
  // A sign-in whose password was checked before and that finishes afterwards.
  const late = await createSession(pool, { userId, ...NOWHERE });
  expect(await findSession(pool, late.id, NOW)).toBeNull();
  expect(await set(email, 'active')).toBe('changed');
  for (const id of [before, late.id]) expect(await findSession(pool, id, NOW)).toBeNull();
  expect(await reset(token)).toBe('gone');
  const session = await findSession(pool, await sessionOf(first), NOW);
  expect(session?.merchant).toMatchObject({ id: first.merchantId, role: 'owner' });
});

it('a sign-in that waits for its code ends, and so does a second factor half set up', async () => {
  const { pool } = database;
  const first = await shop();
  const { email } = first.owner;
  const session = await findSession(pool, await sessionOf(first), NOW);
  if (!session) throw new Error('no session');
  const { password } = first.owner;
  const { own, secret } = await turnOnSecondFactor(pool, { session, password, now: NOW });
  const begun = await beginSecondFactor(pool, own, password);
  const pending = await findPendingSession(pool, await sessionOf(first), NOW);
  if (!pending) throw new Error('no code is owed');
  await set(email, 'disabled');
  const later = new Date(NOW.getTime() + 60_000);
  expect(await findPendingSession(pool, pending.id, later)).toBeNull();
  const step = { code: codeAt(secret, later), address: null, now: later };
  expect(await passSecondStep(pool, pending, step)).toBe('refused');
  const code = codeAt(begun.secret, later);
  const confirming = confirmSecondFactor(pool, { ...own, now: later }, code);
  await expect(confirming).rejects.toMatchObject({ kind: 'conflict' });
  await set(email, 'active');
  expect(await findPendingSession(pool, await sessionOf(first), NOW)).not.toBeNull();
});

it('a disabled operator acts for nobody any more, and the merchant reads of the end', async () => {
  const { pool } = database;
  const { merchantId } = await shop();
  const email = `operator-${++serial}@example.com`;
  await findOrCreateUser(pool, { email, password: CHOSEN, now: NOW });
  await addOperator(pool, { email, actor: OPERATOR, now: NOW });
  const result = await enter(email, CHOSEN);
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  const { sessionId } = result;
  await beginImpersonation(pool, { sessionId, merchantId, actor: OPERATOR, now: NOW });
  expect((await findSession(pool, sessionId, NOW))?.merchant?.id).toBe(merchantId);
  await set(email, 'disabled');
  expect(await findSession(pool, sessionId, NOW)).toBeNull();
  expect((await enter(email, CHOSEN)).outcome).toBe('refused');
  const { rowCount } = await pool.query(
    `SELECT FROM audit_log WHERE merchant_id = $1 AND action = 'merchant.act_end'`,
    [merchantId],
  );
  expect(rowCount).toBe(1);
});

it('each merchant of theirs reads of it, once', async () => {
  const { pool } = database;
  const [one, two] = [await shop(), await shop()];
  const { userId, email } = one.owner;
  await setMember(pool, { merchantId: two.merchantId, userId, role: 'viewer', now: NOW });
  expect(await set(email, 'active')).toBe('unchanged');
  expect(await Promise.all([set(email, 'disabled'), set(email, 'disabled')])).toContain('changed');
  expect(await set(email, 'disabled')).toBe('unchanged');
  await set(email, 'active');
  expect(await set('nobody@example.com', 'disabled')).toBe('not_found');
  const { rows } = await pool.query(
    `SELECT merchant_id, action, details FROM audit_log
     WHERE target_id = $1 AND action LIKE 'person.%' ORDER BY action, merchant_id`,
    [userId],
  );
  expect(rows).toEqual(
    ['person.disable', 'person.enable'].flatMap((action) =>
      [one.merchantId, two.merchantId]
        .sort()
        .map((merchant_id) => ({ merchant_id, action, details: { email } })),
    ),
  );
});

it('invitations that they made end, even one that is on its way', async () => {
  const { pool } = database;
  const { merchantId, owner, invite } = await shop();
  const made = await invite(`second-self-${++serial}@example.com`);
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
  const disabling = set(owner.email, 'disabled');
  const waiting = async (count: number) => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === count;
  };
  await until(() => waiting(1));
  const late = invite(`third-self-${++serial}@example.com`);
  late.catch(() => undefined);
  await until(() => waiting(2));
  await holder.query('COMMIT');
  holder.release();
  await disabling;
  await expect(late).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await findInvitation(pool, made.token, NOW)).toBeNull();
  const { rows } = await pool.query(
    `SELECT actor_type, details FROM audit_log
     WHERE target_id = $1 AND merchant_id = $2 AND action = 'invitation.withdraw'`,
    [made.id, merchantId],
  );
  expect(rows).toEqual([{ actor_type: 'operator', details: { email: made.email } }]);
});
