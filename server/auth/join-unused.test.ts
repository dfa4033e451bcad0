import { readdirSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emailsSettled } from '../mail/send.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { addOperator } from '../operating/operators.ts';
import { createInvitation, findInvitation } from '../staff/invitations.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { joinByLink } from './invite.ts';
import { findReset, resetPassword } from './password-reset.ts';
import { signInByProvider } from './provider-sign-in.ts';
import { lockAccount } from './second-factor/proof.ts';
import { openSession, signIn } from './sign-in.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;
const CHOSEN = 'correct horse battery';

// The folder for e-mailed notices.
const dataDir = withOwnDataDir();

let database: TestDatabase;
let pool: pg.Pool;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(() => database.drop());

/** An operator who never signed in and is invited to a team: both links, and their pages. */
async function invitedOperator() {
  const email = `operator-${++serial}@example.com`;
  const { link } = await addOperator(pool, { email, actor: COMMAND, now: NOW });
  const { merchantId, owner } = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: `owner-${serial}@example.com`, actor: COMMAND, now: NOW },
  });
  const actor = { type: 'staff' as const, id: owner.userId, label: owner.email };
  const wish = { email, role: 'viewer' as const, locale: 'en', actor, now: NOW };
  const { token } = await createInvitation(pool, grantTenant(merchantId, 'sandbox'), wish);
  const join = (password: string | null) =>
    joinByLink(pool, { token, password, sessionId: null, address: '192.0.2.1', now: NOW });
  return { email, token, join, merchantId, passwordToken: link?.token ?? '' };
}

const enter = async (email: string, password: string) => {
  const from = { address: null, addressKey: `2001:db8::${++serial}`, userAgent: null, now: NOW };
  return (await signIn(pool, { email, password, ...from })).outcome;
};

const enterByProvider = (email: string) =>
  signInByProvider(pool, {
    ...{ email, provider: 'oidc', address: null, userAgent: null, sessionBefore: null, now: NOW },
  });

it('who was given an account and never came sets its password by an invitation, once', async () => {
  const { email, token, join, merchantId, passwordToken } = await invitedOperator();
  expect(await findInvitation(pool, token, NOW)).toMatchObject({ hasAccount: false });
  await expect(join('short')).rejects.toMatchObject({ kind: 'validation' });
  await expect(join(null)).rejects.toMatchObject({ kind: 'validation' });
  expect(await join(CHOSEN)).toBe('joined');
  expect(await enter(email, CHOSEN)).toBe('signed_in');
  expect(await join('another horse battery')).toBe('gone');
  // Other people may have seen the link.
  expect(await findReset(pool, passwordToken, NOW)).toBeNull();
  const { rows } = await pool.query(
    `SELECT action, actor_label AS by FROM audit_log
     WHERE merchant_id = $1 AND action IN ('member.join', 'password.set') ORDER BY id`,
    [merchantId],
  );
  expect(rows).toEqual([
    { action: 'member.join', by: email },
    { action: 'password.set', by: email },
  ]);
  await emailsSettled();
  expect(readdirSync(path.join(dataDir(), 'outbox'))).toHaveLength(1);
});

it('an account in use keeps its password, though the page was open before', async () => {
  const byPassword = await invitedOperator();
  const { passwordToken } = byPassword;
  await resetPassword(pool, { token: passwordToken, password: CHOSEN, address: null, now: NOW });
  expect(await findInvitation(pool, byPassword.token, NOW)).toMatchObject({ hasAccount: true });
  expect(await byPassword.join('another horse battery')).toBe('known');
  expect(await enter(byPassword.email, CHOSEN)).toBe('signed_in');

  const byProvider = await invitedOperator();
  await enterByProvider(byProvider.email);
  expect(await findInvitation(pool, byProvider.token, NOW)).toMatchObject({ hasAccount: true });
  expect(await byProvider.join(CHOSEN)).toBe('known');
  expect(await enter(byProvider.email, CHOSEN)).toBe('refused');
});

it('who comes in by a provider at that moment keeps an account without a password', async () => {
  const { email, join } = await invitedOperator();
  const { id } = await findOrCreateUser(pool, { email, now: NOW });
  const from = { address: null, userAgent: null, sessionBefore: null, now: NOW };
  const entering = await pool.connect();
  await entering.query('BEGIN');
  await lockAccount(entering, id);
  await openSession(entering, { id, email }, from, 'oidc');
  const joining = join(CHOSEN);
  await until(async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  });
  await entering.query('COMMIT');
  entering.release();
  expect(await joining).toBe('known');
  expect(await enter(email, CHOSEN)).toBe('refused');
});
