import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession, findSession } from '../auth/sessions.ts';
import { createMerchant, setMerchantStatus } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { ROLES, type Role } from '../merchants/types.ts';
import { createInvitation } from '../staff/invitations.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { setPersonStatus } from '../staff/person-status.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { callerOf, newSession } from '../testing/staff.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const actor = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('whose second factor is missing, and who is disabled, is told to themselves and to who manages the team', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor,
    now: NOW,
  });
  const { id: userId } = await findOrCreateUser(db, { email: 'other@example.com', now: NOW });
  const seenBy = async (viewerId: string) => {
    const { id } = await createSession(db, {
      userId: viewerId,
      address: null,
      userAgent: null,
      now: NOW,
    });
    const session = await findSession(db, id, NOW);
    if (!session) throw new Error('no session');
    const context = contextOf(session, { db, environment: 'sandbox', address: null, now: NOW });
    const members = await createCaller(context).team.members();
    return Object.fromEntries(
      members.map((each) => [each.email, [each.hasSecondFactor, each.isDisabled]]),
    );
  };
  const { id: leaver } = await findOrCreateUser(db, { email: 'leaver@example.com', now: NOW });
  await setMember(db, { merchantId, userId: leaver, role: 'support', now: NOW });
  await setPersonStatus(db, { email: 'leaver@example.com', status: 'disabled', actor, now: NOW });
  const whole = {
    'owner@example.com': [false, false],
    'other@example.com': [false, false],
    'leaver@example.com': [false, true],
  };
  const own = {
    ...whole,
    'owner@example.com': [null, null],
    'leaver@example.com': [null, null],
  };
  for (const [role, seen] of [
    ['viewer', own],
    ['developer', own],
    ['admin', whole],
  ] as [Role, object][]) {
    await setMember(db, { merchantId, userId, role, now: NOW });
    expect(await seenBy(userId)).toEqual(seen);
    expect(await seenBy(owner.userId)).toEqual(whole);
  }
});

it('whoever lacks the second factor that the merchant demands is told to set it up, whatever they ask for', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Careful',
    ownerEmail: 'careful@example.com',
    actor,
    now: NOW,
  });
  const { id } = await newSession(db, owner.userId, NOW);
  await db.query('UPDATE merchants SET require_totp = true WHERE id = $1', [merchantId]);
  const session = await findSession(db, id, NOW);
  if (!session) throw new Error('no session');
  const refused = 'Set up a second factor first.';
  await expect(callerOf(db, session, { now: NOW }).team.members()).rejects.toThrow(refused);
});

it('sends no invitations while the merchant is suspended, and still takes them back', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Paused',
    ownerEmail: 'paused@example.com',
    actor,
    now: NOW,
  });
  const { userId } = owner;
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
  const asNow = async () => {
    const session = await findSession(db, id, NOW);
    return createCaller(
      contextOf(session, { db, environment: 'sandbox', address: null, now: NOW }),
    );
  };
  const wish = { role: 'viewer', locale: 'en' } as const;
  await createInvitation(db, grantTenant(merchantId, 'sandbox'), {
    ...{ ...wish, email: 'early@example.com', now: NOW },
    actor: { type: 'staff', id: userId, label: owner.email },
  });
  await setMerchantStatus(db, { merchantId, status: 'suspended', actor, now: NOW });
  const { team } = await asNow();
  const [open] = await team.invitations();
  const invitationId = open?.id ?? '';
  const refused = 'The merchant is suspended.';
  await expect(team.invite({ ...wish, email: 'late@example.com' })).rejects.toThrow(refused);
  await expect(team.resendInvitation({ invitationId })).rejects.toThrow(refused);
  await team.withdrawInvitation({ invitationId });
  expect(await team.invitations()).toEqual([]);
});

it('whatever their role, members leave, but for the last owner', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Shop',
    ownerEmail: 'stays@example.com',
    actor,
    now: NOW,
  });
  const leave = async (userId: string) => {
    const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
    const session = await findSession(db, id, NOW);
    const context = contextOf(session, { db, environment: 'sandbox', address: null, now: NOW });
    await createCaller(context).team.leave();
    return await findSession(db, id, NOW);
  };
  for (const role of ROLES) {
    const { id } = await findOrCreateUser(db, { email: `${role}-goes@example.com`, now: NOW });
    await setMember(db, { merchantId, userId: id, role, now: NOW });
    expect(await leave(id)).toMatchObject({ merchant: null });
  }
  await expect(leave(owner.userId)).rejects.toThrow('A merchant needs at least one owner.');
});
