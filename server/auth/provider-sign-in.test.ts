import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createInvitation, withdrawInvitation } from '../staff/invitations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { isWelcome, signInByProvider } from './provider-sign-in.ts';
import { verifiedPerson } from './providers.ts';
import { findPendingSession } from './second-factor/second-step.ts';
import { findSession } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function shop() {
  const made = await createMerchant(database.pool, {
    name: 'Shop',
    ownerEmail: `owner-${++serial}@example.com`,
    actor: OPERATOR,
    now: NOW,
  });
  return { ...made, tenant: grantTenant(made.merchantId, 'sandbox') };
}

/** Invites somebody to a shop's staff. */
async function invite({ owner, tenant }: Awaited<ReturnType<typeof shop>>) {
  const actor = { type: 'staff', id: owner.userId, label: owner.email } as const;
  const email = `invited-${++serial}@example.com`;
  const wish = { email, role: 'support', locale: 'en', actor, now: NOW } as const;
  return { ...(await createInvitation(database.pool, tenant, wish)), actor };
}

const enter = (email: string, sessionBefore: string | null = null) =>
  signInByProvider(database.pool, {
    ...{ email, provider: 'oidc', address: null, userAgent: null, sessionBefore, now: NOW },
  });

it('who signs in again ends the session that their browser had', async () => {
  const { owner } = await shop();
  const before = await enter(owner.email);
  const after = await enter(owner.email, before);
  expect(await findSession(database.pool, before, NOW)).toBeNull();
  expect(await findSession(database.pool, after, NOW)).not.toBeNull();
});

it.each([
  [{ sub: '1', email: 'A@Example.com ', email_verified: true }, 'a@example.com'],
  [{ sub: '1', email: 'a@example.com', email_verified: false }, null],
  [{ sub: '1', email: 'a@example.com' }, null],
  [{ sub: '1', email_verified: true }, null],
  // Typed text would fold to the plain letters, but that mailbox belongs to somebody else.
  [{ sub: '1', email: 'ﬁnn@example.com', email_verified: true }, 'ﬁnn@example.com'],
])('of %j the address %j is believed', (claims, email) => {
  expect(verifiedPerson(claims).email).toBe(email);
});

it('a known person is let in, and owes a code where a second factor is on', async () => {
  const { owner, merchantId } = await shop();
  const { pool } = database;
  expect(await isWelcome(pool, owner.email, NOW)).toBe(true);
  const id = await enter(owner.email);
  expect((await findSession(pool, id, NOW))?.merchant?.id).toBe(merchantId);
  await pool.query(
    `UPDATE users SET totp_secret = '\\x01', totp_enabled_at = now() WHERE id = $1`,
    [owner.userId],
  );
  const owing = await enter(owner.email);
  expect(await findSession(pool, owing, NOW)).toBeNull();
  expect(await findPendingSession(pool, owing, NOW)).toMatchObject({ email: owner.email });
});

it('an invited person joins, once', async () => {
  const { pool } = database;
  const inviting = await shop();
  const { merchantId } = inviting;
  const { email } = await invite(inviting);
  expect(await isWelcome(pool, email, NOW)).toBe(true);
  const session = await findSession(pool, await enter(email), NOW);
  expect(session?.merchant).toMatchObject({ id: merchantId, role: 'support' });
  expect((await findSession(pool, await enter(email), NOW))?.user.id).toBe(session?.user.id);
});

it('a stranger and a disabled person are not', async () => {
  const { pool } = database;
  expect(await isWelcome(pool, 'stranger@example.com', NOW)).toBe(false);
  await expect(enter('stranger@example.com')).rejects.toThrow('nobody knows');
  const { owner } = await shop();
  await pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [owner.userId]);
  expect(await isWelcome(pool, owner.email, NOW)).toBe(false);
  await expect(enter(owner.email)).rejects.toThrow('disabled');
});

it('nor is who was invited, once that has ended, was taken back or was made use of', async () => {
  const { pool } = database;
  const inviting = await shop();
  const { email, expiresAt } = await invite(inviting);
  expect(await isWelcome(pool, email, new Date(expiresAt.getTime() - 1))).toBe(true);
  expect(await isWelcome(pool, email, expiresAt)).toBe(false);
  const { id: invitationId, actor, ...withdrawn } = await invite(inviting);
  await withdrawInvitation(pool, inviting.tenant, { invitationId, actor, now: NOW });
  expect(await isWelcome(pool, withdrawn.email, NOW)).toBe(false);
  // Imitates an account whose address has changed since.
  await pool.query('UPDATE invitations SET accepted_at = $2 WHERE email = $1', [email, NOW]);
  expect(await isWelcome(pool, email, NOW)).toBe(false);
});
