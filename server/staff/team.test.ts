import { afterAll, beforeAll, expect, it } from 'vitest';
import { invite, joinByLink } from '../auth/invite.ts';
import { createSession, findSession } from '../auth/sessions.ts';
import { signIn } from '../auth/sign-in.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Role } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { BROKEN_MAIL } from '../testing/mail.ts';
import { openMerchant } from '../testing/merchants.ts';
import {
  acceptInvitations,
  createInvitation,
  findInvitation,
  listInvitations,
  withdrawInvitation,
} from './invitations.ts';
import { findOrCreateUser, setMember } from './members.ts';
import { changeRole, demandSecondFactor, listMembers, removeMember } from './team.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const WEEK_LATER = new Date('2026-11-28T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;
const PASSWORD = 'correct horse battery';
const FROM_NOWHERE = { sessionId: null, address: null, now: NOW };

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Person = { userId: string; email: string };

async function shop() {
  const { pool } = database;
  const made = await openMerchant(pool, {
    name: 'Shop',
    ownerEmail: `owner-${++serial}@example.com`,
    actor: OPERATOR,
    now: NOW,
  });
  const { merchantId } = made;
  const by = (person: Person) => ({
    actor: { type: 'staff' as const, id: person.userId, label: person.email },
    now: NOW,
  });
  const join = async (role: Role): Promise<Person> => {
    const { id, email } = await findOrCreateUser(pool, {
      email: `person-${++serial}@example.com`,
      password: PASSWORD,
      now: NOW,
    });
    await setMember(pool, { merchantId, userId: id, role, now: NOW });
    return { userId: id, email };
  };
  return { merchantId, owner: made.owner, tenant: grantTenant(merchantId, 'sandbox'), by, join };
}

async function rolesOf({ tenant }: Awaited<ReturnType<typeof shop>>): Promise<Role[]> {
  return (await listMembers(database.pool, tenant)).map(({ role }) => role);
}

it('a role is changed and members removed, each told in the log', async () => {
  const { pool } = database;
  const team = await shop();
  const { owner, tenant, by, join } = team;
  const support = await join('support');
  await changeRole(pool, tenant, { userId: support.userId, role: 'viewer', ...by(owner) });
  expect(await rolesOf(team)).toEqual(['owner', 'viewer']);
  await removeMember(pool, tenant, { userId: support.userId, ...by(owner) });
  expect(await rolesOf(team)).toEqual(['owner']);
  const { rows } = await pool.query(
    'SELECT action, details FROM audit_log WHERE target_id = $1 ORDER BY id',
    [support.userId],
  );
  expect(rows).toEqual([
    { action: 'member.role', details: { email: support.email, from: 'support', to: 'viewer' } },
    { action: 'member.remove', details: { email: support.email, role: 'viewer' } },
  ]);
});

it('nobody removes or demotes the last owner, nor do two owners at once each other', async () => {
  const { pool } = database;
  const team = await shop();
  const { owner, tenant, by, join } = team;
  const refused = { kind: 'conflict' };
  const me = { userId: owner.userId, ...by(owner) };
  await expect(removeMember(pool, tenant, me)).rejects.toMatchObject(refused);
  await expect(changeRole(pool, tenant, { ...me, role: 'admin' })).rejects.toMatchObject(refused);
  const second = await join('owner');
  const outcomes = await Promise.allSettled([
    changeRole(pool, tenant, { userId: second.userId, role: 'viewer', ...by(owner) }),
    removeMember(pool, tenant, { userId: owner.userId, ...by(second) }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await rolesOf(team)).filter((role) => role === 'owner')).toHaveLength(1);
});

it('an owner whose account is disabled is not the other owner', async () => {
  const { pool } = database;
  const { owner, tenant, by, join } = await shop();
  const second = await join('owner');
  await pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [second.userId]);
  const leave = removeMember(pool, tenant, { userId: owner.userId, ...by(owner) });
  await expect(leave).rejects.toMatchObject({ kind: 'conflict' });
});

it('nobody gives, takes or invites to a role above their own', async () => {
  const { pool } = database;
  const { owner, tenant, by, join } = await shop();
  const admin = await join('admin');
  const viewer = await join('viewer');
  const refused = { kind: 'forbidden' };
  const make = (userId: string, role: Role) =>
    changeRole(pool, tenant, { userId, role, ...by(admin) });
  await expect(make(viewer.userId, 'owner')).rejects.toMatchObject(refused);
  await expect(make(owner.userId, 'viewer')).rejects.toMatchObject(refused);
  const remove = removeMember(pool, tenant, { userId: owner.userId, ...by(admin) });
  await expect(remove).rejects.toMatchObject(refused);
  const wish = { email: 'x@example.com', role: 'owner' as const, locale: 'en', ...by(admin) };
  await expect(createInvitation(pool, tenant, wish)).rejects.toMatchObject(refused);
  await make(viewer.userId, 'admin');
});

it('a removed person’s session at this merchant ends at once; at another it goes on', async () => {
  const { pool } = database;
  const first = await shop();
  const second = await shop();
  const person = await first.join('support');
  const { merchantId } = second;
  await setMember(pool, { ...person, merchantId, role: 'viewer', now: NOW });
  const enter = async () => {
    const result = await signIn(pool, {
      email: person.email,
      password: PASSWORD,
      address: null,
      addressKey: `2001:db8::${++serial}`,
      userAgent: null,
      now: NOW,
    });
    if (result.outcome !== 'signed_in') throw new Error(result.outcome);
    return result.sessionId;
  };
  const [here, there] = [await enter(), await enter()];
  const show = 'UPDATE sessions SET merchant_id = $2 WHERE id = $1';
  await pool.query(show, [here, first.merchantId]);
  await pool.query(show, [there, second.merchantId]);
  await removeMember(pool, first.tenant, { userId: person.userId, ...first.by(first.owner) });
  expect(await findSession(pool, here, NOW)).toBeNull();
  expect((await findSession(pool, there, NOW))?.merchant?.id).toBe(second.merchantId);
});

it.each(['admin', 'viewer'] as const)(
  'a leaving %s stays signed in where they still are',
  async (role) => {
    const { pool } = database;
    const [left, kept] = [await shop(), await shop()];
    const person = await left.join(role);
    const { userId } = person;
    const device = { userId, address: null, userAgent: null, now: NOW };
    const { id } = await createSession(pool, device);
    const merchantNow = async () => (await findSession(pool, id, NOW))?.merchant?.id ?? null;
    expect(await merchantNow()).toBe(left.merchantId);
    await setMember(pool, { userId, merchantId: kept.merchantId, role: 'viewer', now: NOW });
    await removeMember(pool, left.tenant, { userId, ...left.by(person) });
    expect(await merchantNow()).toBe(kept.merchantId);
    await removeMember(pool, kept.tenant, { userId, ...kept.by(person) });
    expect(await findSession(pool, id, NOW)).toMatchObject({ merchant: null });
    const { rows } = await pool.query(
      'SELECT merchant_id, action, actor_id, details FROM audit_log WHERE target_id = $1 ORDER BY id',
      [userId],
    );
    const told = { action: 'member.leave', actor_id: userId };
    expect(rows).toEqual([
      { ...told, merchant_id: left.merchantId, details: { email: person.email, role } },
      { ...told, merchant_id: kept.merchantId, details: { email: person.email, role: 'viewer' } },
    ]);
  },
);

it('an invitation is accepted once: by a new person with a password, by another with none', async () => {
  const { pool } = database;
  const { owner, tenant, merchantId, by } = await shop();
  const email = `new-${++serial}@example.com`;
  const link = await createInvitation(pool, tenant, {
    email,
    role: 'support',
    locale: 'en',
    ...by(owner),
  });
  expect(await findInvitation(pool, link.token, NOW)).toMatchObject({ email, hasAccount: false });
  const accept = (password: string | null) =>
    joinByLink(pool, { token: link.token, password, ...FROM_NOWHERE });
  await expect(accept('short')).rejects.toMatchObject({ kind: 'validation' });
  expect(await accept(PASSWORD)).toBe('joined');
  expect(await accept(PASSWORD)).toBe('gone');
  const other = await shop();
  const again = await createInvitation(pool, other.tenant, {
    ...{ email, role: 'viewer' as const, locale: 'ru' },
    ...other.by(other.owner),
  });
  expect(await findInvitation(pool, again.token, NOW)).toMatchObject({ hasAccount: true });
  // From a page that was opened before the account existed.
  const joined = { token: again.token, password: 'not taken as a password' };
  expect(await joinByLink(pool, { ...joined, ...FROM_NOWHERE })).toBe('known');
  const result = await signIn(pool, {
    ...{ email, password: PASSWORD, address: null, userAgent: null, now: NOW },
    addressKey: `2001:db8::${++serial}`,
  });
  if (result.outcome !== 'signed_in') throw new Error(result.outcome);
  const shown = (await findSession(pool, result.sessionId, NOW))?.merchant?.id;
  expect([merchantId, other.merchantId]).toContain(shown);
  expect(await rolesOf(other)).toEqual(['owner', 'viewer']);
});

it('leads who is signed in straight to the merchant that they joined, and nobody else', async () => {
  const { pool } = database;
  const [home, next] = [await shop(), await shop()];
  const sessionOf = async (userId: string) =>
    (await createSession(pool, { userId, address: null, userAgent: null, now: NOW })).id;
  const [own, others] = [await sessionOf(home.owner.userId), await sessionOf(next.owner.userId)];
  const join = async (sessionId: string, email: string, password: string | null) => {
    const wish = { email, role: 'viewer' as const, locale: 'en' };
    const { token } = await createInvitation(pool, next.tenant, {
      ...wish,
      ...next.by(next.owner),
    });
    return await joinByLink(pool, {
      token,
      password,
      sessionId,
      address: null,
      now: NOW,
    });
  };
  const shownTo = async (sessionId: string) =>
    (await findSession(pool, sessionId, NOW))?.merchant?.id;
  expect(await shownTo(own)).toBe(home.merchantId);
  expect(await join(own, home.owner.email, null)).toBe('entered');
  expect(await shownTo(own)).toBe(next.merchantId);
  const stranger = () => `stranger-${++serial}@example.com`;
  expect(await join(others, stranger(), PASSWORD)).toBe('joined');
  expect(await join('ses_nothing', stranger(), PASSWORD)).toBe('joined');
});

it('a withdrawn and an expired invitation’s links are gone', async () => {
  const { pool } = database;
  const { owner, tenant, by } = await shop();
  const wish = (name: string) => ({
    ...{ email: `${name}-${++serial}@example.com`, role: 'viewer' as const, locale: 'en' },
    ...by(owner),
  });
  const withdrawn = await createInvitation(pool, tenant, wish('withdrawn'));
  await withdrawInvitation(pool, tenant, { invitationId: withdrawn.id, ...by(owner) });
  const expired = await createInvitation(pool, tenant, wish('expired'));
  expect(await findInvitation(pool, withdrawn.token, NOW)).toBeNull();
  expect(await findInvitation(pool, expired.token, WEEK_LATER)).toBeNull();
});

it('one open invitation for an address, none for a member; an e-mail that fails loses nothing', async () => {
  const { pool } = database;
  const { owner, tenant, by, join } = await shop();
  const inviting = { tenant, merchantName: 'Shop', ...by(owner), route: BROKEN_MAIL };
  const email = `wanted-${++serial}@example.com`;
  const wish = { email: email.toUpperCase(), role: 'viewer' as const, locale: 'en' as const };
  expect(await invite(pool, inviting, wish)).toEqual({ isSent: false });
  expect(await listInvitations(pool, tenant, NOW)).toMatchObject([{ email, isExpired: false }]);
  const refused = { kind: 'conflict' };
  await expect(invite(pool, inviting, wish)).rejects.toMatchObject(refused);
  const later = { ...inviting, now: WEEK_LATER };
  expect(await invite(pool, later, wish)).toEqual({ isSent: false });
  const member = await join('viewer');
  const again = invite(pool, inviting, { ...wish, email: member.email });
  await expect(again).rejects.toMatchObject(refused);
});

it.each(['removed', 'demoted'] as const)(
  'whoever is %s takes the invitations along that they could not make, and the log tells of each',
  async (leaving) => {
    const { pool } = database;
    const { owner, tenant, by, join } = await shop();
    const admin = await join('admin');
    const wish = (role: Role) => ({ email: `a-${++serial}@example.com`, role, locale: 'en' });
    const [first, second, supports] = await Promise.all(
      (['admin', 'admin', 'support'] as const).map((role) =>
        createInvitation(pool, tenant, { ...wish(role), ...by(admin) }),
      ),
    );
    if (!first || !second || !supports) throw new Error('no invitations');
    const other = await shop();
    await setMember(pool, { ...other, userId: admin.userId, role: 'admin', now: NOW });
    const elsewhere = await createInvitation(pool, other.tenant, {
      ...wish('admin'),
      ...by(admin),
    });
    const change = { userId: admin.userId, ...by(owner) };
    if (leaving === 'removed') await removeMember(pool, tenant, change);
    else await changeRole(pool, tenant, { ...change, role: 'support' });
    const ended = leaving === 'removed' ? [first, second, supports] : [first, second];
    for (const { token } of ended) expect(await findInvitation(pool, token, NOW)).toBeNull();
    expect(await findInvitation(pool, elsewhere.token, NOW)).not.toBeNull();
    const { rows } = await pool.query(
      `SELECT actor_id, target_type, target_id, details FROM audit_log
       WHERE merchant_id = $1 AND action = 'invitation.withdraw' ORDER BY target_id`,
      [tenant.merchantId],
    );
    const told = ended.map(({ id, email }) => ({
      ...{ actor_id: owner.userId, target_type: 'invitation', target_id: id, details: { email } },
    }));
    expect(rows).toEqual(told.sort((a, b) => (a.target_id < b.target_id ? -1 : 1)));
  },
);

it('a verified address accepts all of its invitations, in lower case only', async () => {
  const { pool } = database;
  const [one, two] = [await shop(), await shop()];
  const email = `both-${++serial}@example.com`;
  for (const { tenant, owner, by } of [one, two]) {
    await createInvitation(pool, tenant, { email, role: 'viewer', locale: 'en', ...by(owner) });
  }
  const how = { passwordHash: null, address: null, now: NOW };
  expect(await acceptInvitations(pool, { email: 'nobody@example.com' }, how)).toBeNull();
  expect(await acceptInvitations(pool, { email }, how)).toMatchObject({ email });
  expect(await rolesOf(one)).toEqual(['owner', 'viewer']);
  expect(await rolesOf(two)).toEqual(['owner', 'viewer']);
});

it('a second factor is demanded by an owner who has one', async () => {
  const { pool } = database;
  const { owner, tenant, by } = await shop();
  const demand = () => demandSecondFactor(pool, tenant, { isDemanded: true, ...by(owner) });
  await expect(demand()).rejects.toMatchObject({ kind: 'conflict' });
  await pool.query(
    `UPDATE users SET totp_secret = '\\x01', totp_enabled_at = now() WHERE id = $1`,
    [owner.userId],
  );
  await demand();
  const { rows } = await pool.query('SELECT require_totp FROM merchants WHERE id = $1', [
    tenant.merchantId,
  ]);
  expect(rows).toEqual([{ require_totp: true }]);
});
