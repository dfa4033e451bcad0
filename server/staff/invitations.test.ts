import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inviteAgain, joinByLink } from '../auth/invite.ts';
import { hashToken } from '../lib/opaque-token.ts';
import type { MailRoute } from '../mail/send.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Role } from '../merchants/types.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { BROKEN_MAIL } from '../testing/mail.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { addOwner } from './add-owner.ts';
import {
  acceptInvitations,
  createInvitation,
  endLinkBefore,
  findInvitation,
  listInvitations,
  renewInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { findOrCreateUser, setMember } from './members.ts';
import { changeRole, removeMember } from './team.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Person = { userId: string; email: string };

/** A team of an owner and an admin who work with invitations to one address. */
async function team() {
  const { pool } = database;
  const { merchantId, owner } = await createMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: `owner-${++serial}@example.com` },
    ...{ actor: OPERATOR, now: NOW },
  });
  const { id: userId, email } = await findOrCreateUser(pool, {
    email: `admin-${++serial}@example.com`,
    now: NOW,
  });
  await setMember(pool, { merchantId, userId, role: 'admin', now: NOW });
  const tenant = grantTenant(merchantId, 'sandbox');
  const by = (person: Person) => ({
    actor: { type: 'staff' as const, id: person.userId, label: person.email },
    now: NOW,
  });
  const invite = (person: Person, role: Role = 'support') =>
    createInvitation(pool, tenant, {
      ...{ email: `invited-${++serial}@example.com`, role, locale: 'en' },
      ...by(person),
    });
  const remove = () => removeMember(pool, tenant, { userId, ...by(owner) });
  const demote = () => changeRole(pool, tenant, { userId, role: 'viewer', ...by(owner) });
  const open = () => listInvitations(pool, tenant, NOW);
  return { tenant, owner, admin: { userId, email }, by, invite, remove, demote, open };
}

/** Runs `first`, then `second`, up to the audit log or an earlier lock, then lets both go on. */
async function atOnce(first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const waiting = async (count: number) => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === count;
  };
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE audit_log IN SHARE MODE');
  const one = first();
  await until(() => waiting(1));
  // The handlers are attached at once: one call may be refused before the holder ends.
  const settled = Promise.allSettled([one, second()]);
  await until(() => waiting(2));
  await holder.query('COMMIT');
  holder.release();
  return await settled;
}

const WAYS = ['create', 'renew'] as const;

/** An admin sends an invitation while being removed or demoted. */
async function sending(way: (typeof WAYS)[number]) {
  const shop = await team();
  const { tenant, owner, admin, by, invite } = shop;
  if (way === 'create') return { ...shop, send: () => invite(admin) };
  const { id: invitationId } = await invite(owner);
  const send = () => renewInvitation(database.pool, tenant, { invitationId, ...by(admin) });
  return { ...shop, send };
}

describe.each(WAYS)('an inviter who leaves at the moment of a %s', (way) => {
  it.each(['remove', 'demote'] as const)('takes the invitation along: %s', async (leave) => {
    const shop = await sending(way);
    const outcomes = await atOnce(shop.send, shop[leave]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await shop.open()).toEqual([]);
  });

  it.each(['remove', 'demote'] as const)('makes none after that: %s', async (leave) => {
    const shop = await sending(way);
    const [left, sent] = await atOnce(shop[leave], shop.send);
    expect(left).toMatchObject({ status: 'fulfilled' });
    expect(sent).toMatchObject({ status: 'rejected', reason: { kind: 'forbidden' } });
  });
});

it('who is removed does not come back by an invitation from before they were on the team', async () => {
  const { pool } = database;
  const { owner, tenant, by, invite, open } = await team();
  const { email, token } = await invite(owner);
  const other = await invite(owner);
  const { merchantId } = tenant;
  await addOwner(pool, { merchantId, email, actor: OPERATOR, now: NOW });
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  await removeMember(pool, tenant, { userId, ...by(owner) });
  expect(await findInvitation(pool, token, NOW)).toBeNull();
  expect(await open()).toMatchObject([{ id: other.id }]);
});

it('says who invites: the person who sent it last', async () => {
  const { tenant, owner, admin, by, invite } = await team();
  const { id, token } = await invite(owner);
  expect(await findInvitation(database.pool, token, NOW)).toMatchObject({ invitedBy: owner.email });
  const renewed = await renewInvitation(database.pool, tenant, { invitationId: id, ...by(admin) });
  expect(await findInvitation(database.pool, renewed.token, NOW)).toMatchObject({
    invitedBy: admin.email,
  });
});

it('nobody renews or withdraws an invitation to a role above their own', async () => {
  const { pool } = database;
  const { tenant, owner, admin, by, invite, open } = await team();
  const { id: invitationId } = await invite(owner, 'owner');
  for (const change of [renewInvitation, withdrawInvitation]) {
    const byAdmin = change(pool, tenant, { invitationId, ...by(admin) });
    await expect(byAdmin).rejects.toMatchObject({ kind: 'forbidden' });
  }
  expect(await open()).toMatchObject([{ id: invitationId }]);
  await withdrawInvitation(pool, tenant, { invitationId, ...by(owner) });
  expect(await open()).toEqual([]);
});

it('an admin withdraws an invitation to their own role, unless they are removed meanwhile', async () => {
  const { tenant, owner, admin, by, invite, remove, open } = await team();
  const withdraw = async (invitationId: string) =>
    await withdrawInvitation(database.pool, tenant, { invitationId, ...by(admin) });
  await withdraw((await invite(owner, 'admin')).id);
  expect(await open()).toEqual([]);
  const { id } = await invite(owner);
  const [, withdrawn] = await atOnce(remove, () => withdraw(id));
  expect(withdrawn).toMatchObject({ status: 'rejected', reason: { kind: 'forbidden' } });
  expect(await open()).toMatchObject([{ id }]);
});

it('the link of the e-mail before works until a newer one has left, and is used once', async () => {
  const { pool } = database;
  const { owner, tenant, by, invite } = await team();
  const outboxFolder = makeThrowAwayFolder();
  onTestFinished(() => rm(outboxFolder, { recursive: true }));
  const kept: MailRoute = {
    smtpUrl: null,
    from: 'gateway@example.com',
    outboxFolder,
    say: () => undefined,
  };
  const inviting = { tenant, merchantName: 'Shop', ...by(owner) };
  const again = (id: string, route: MailRoute) => inviteAgain(pool, { ...inviting, route }, id);
  const isOpen = async (token: string) => (await findInvitation(pool, token, NOW)) !== null;
  const [renewed, withdrawn] = [await invite(owner), await invite(owner)];
  for (const _ of [1, 2]) {
    expect(await again(renewed.id, BROKEN_MAIL)).toEqual({ isSent: false });
    expect(await isOpen(renewed.token)).toBe(true);
  }
  await again(withdrawn.id, BROKEN_MAIL);
  await withdrawInvitation(pool, tenant, { invitationId: withdrawn.id, ...by(owner) });
  expect(await isOpen(withdrawn.token)).toBe(false);
  expect(await again(renewed.id, kept)).toEqual({ isSent: true });
  expect(await isOpen(renewed.token)).toBe(false);
  const name = (await readdir(outboxFolder)).find((each) => each.endsWith('.eml')) ?? '';
  const message = (await readFile(join(outboxFolder, name), 'utf8')).replaceAll('=\r\n', '');
  const newest = /invitation\/(\w+)/.exec(message)?.[1] ?? '';
  expect(await isOpen(newest)).toBe(true);
  await again(renewed.id, BROKEN_MAIL);
  const from = { sessionId: null, address: null, now: NOW };
  const accept = () =>
    joinByLink(pool, { token: newest, password: 'correct horse battery', ...from });
  expect([await accept(), await accept()]).toEqual(['joined', 'gone']);
});

/** Two e-mails for one invitation, requested at the same moment: the older goes first. */
async function twoLetters() {
  const { pool } = database;
  const { owner, tenant, by, invite } = await team();
  const first = await invite(owner);
  const renew = () => renewInvitation(pool, tenant, { invitationId: first.id, ...by(owner) });
  const messages = [first, await renew(), await renew()];
  const open = async () => {
    const found = messages.map(({ token }) => findInvitation(pool, token, NOW));
    return (await Promise.all(found)).map((each) => each !== null);
  };
  return { older: messages[1] ?? first, newer: messages[2] ?? first, open };
}

it('of two e-mails at once the one that left opens, though the newer one did not', async () => {
  const { older, newer, open } = await twoLetters();
  await endLinkBefore(database.pool, older);
  expect(await open()).toEqual([false, true, true]);
  await endLinkBefore(database.pool, newer);
  expect(await open()).toEqual([false, false, true]);
});

it('and where the newer one has left, the older one opens no more', async () => {
  const { older, newer, open } = await twoLetters();
  await endLinkBefore(database.pool, newer);
  await endLinkBefore(database.pool, older);
  expect(await open()).toEqual([false, false, true]);
});

it('an e-mail that left counts as sent, though the link before could not be ended', async () => {
  const { pool } = database;
  const { owner, tenant, by, invite } = await team();
  const { id, token } = await invite(owner);
  const outboxFolder = makeThrowAwayFolder();
  onTestFinished(() => rm(outboxFolder, { recursive: true }));
  const route = { ...BROKEN_MAIL, smtpUrl: null, outboxFolder };
  await pool.query(
    'ALTER TABLE invitations ADD CONSTRAINT keeps CHECK (token_hash_before IS NOT NULL) NOT VALID',
  );
  onTestFinished(async () => {
    await pool.query('ALTER TABLE invitations DROP CONSTRAINT keeps');
  });
  const inviting = { tenant, merchantName: 'Shop', ...by(owner), route };
  expect(await inviteAgain(pool, inviting, id)).toEqual({ isSent: true });
  expect(await findInvitation(pool, token, NOW)).not.toBeNull();
});

it('an invitation that has ended makes nobody a member, whichever way they come', async () => {
  const { pool } = database;
  const { owner, invite } = await team();
  const { email, token } = await invite(owner);
  const eightDaysLater = new Date(NOW.getTime() + 8 * 86_400_000);
  const how = { passwordHash: null, address: null, now: eightDaysLater };
  for (const by of [{ email }, { tokenHash: hashToken(token) }]) {
    expect(await acceptInvitations(pool, by, how)).toBeNull();
  }
});

describe('what somebody is in another shop', () => {
  it('gives them no right in this one, and makes them no member of it', async () => {
    const { pool } = database;
    const [here, there] = [await team(), await team()];
    const inHere = { userId: there.owner.userId, role: 'admin', now: NOW } as const;
    await setMember(pool, { merchantId: here.tenant.merchantId, ...inHere });
    await expect(here.invite(there.owner, 'owner')).rejects.toMatchObject({ kind: 'forbidden' });
    const stranger = { userId: there.admin.userId, ...here.by(here.owner) };
    const change = changeRole(pool, here.tenant, { ...stranger, role: 'viewer' });
    await expect(change).rejects.toMatchObject({ kind: 'not_found' });
    const remove = removeMember(pool, here.tenant, stranger);
    await expect(remove).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('keeps nobody from being made an owner of this one', async () => {
    const { pool } = database;
    const [here, there] = [await team(), await team()];
    const { merchantId } = here.tenant;
    const added = { merchantId, email: there.owner.email, actor: OPERATOR, now: NOW };
    expect(await addOwner(pool, added)).toMatchObject({ outcome: 'added' });
    expect(await addOwner(pool, added)).toMatchObject({ outcome: 'unchanged' });
  });
});
