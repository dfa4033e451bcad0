import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOneSession, signOut } from '../auth/end-sessions.ts';
import { createSession, findSession, type StaffSession } from '../auth/sessions.ts';
import { createInvitation } from '../staff/invitations.ts';
import { changeRole, removeMember } from '../staff/team.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { refuseAudit } from '../testing/refused-audit.ts';
import { issueToken, setMerchantStatus, withdrawToken } from './mutations.ts';
import { rotateTokenByStaff } from './rotate-token.ts';
import { grantTenant } from './tenant.ts';
import { createToken } from './tokens.ts';

// A change and its audit entry happen together or not at all.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const OPERATOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let shop: OpenedMerchant;
let tokenId: string;
let memberId: string;
let session: StaffSession;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const ownerEmail = 'owner@example.com';
  shop = await openMerchant(pool, { name: 'Shop', ownerEmail, actor: OPERATOR, now: NOW });
  const { merchantId } = shop;
  const token = { merchantId, environment: 'sandbox', name: 'web shop', now: NOW } as const;
  tokenId = (await createToken(pool, token)).id;
  memberId = 'usr_member';
  await pool.query(
    `WITH made AS (INSERT INTO users (id, email, created_at) VALUES ($1, 'member@example.com', $3))
     INSERT INTO memberships (user_id, merchant_id, role, created_at) VALUES ($1, $2, 'admin', $3)`,
    [memberId, merchantId, NOW.toISOString()],
  );
  const entering = { userId: shop.owner.userId, address: null, userAgent: null, now: NOW };
  const found = await findSession(pool, (await createSession(pool, entering)).id, NOW);
  if (!found) throw new Error('no session');
  session = found;
  await refuseAudit(database.pool);
});
afterAll(() => database.drop());

async function contents(): Promise<unknown> {
  const tables = ['merchants', 'api_tokens', 'memberships', 'invitations', 'sessions'];
  const rows = tables.map((table) => `SELECT row_to_json(t)::text AS row FROM ${table} t`);
  return (await database.pool.query(`${rows.join(' UNION ALL ')} ORDER BY row`)).rows;
}

const own = () => ({
  actor: { type: 'staff', id: shop.owner.userId, label: 'owner@example.com' } as const,
  now: NOW,
});
const tenant = () => grantTenant(shop.merchantId, 'sandbox');
const token = () => ({ merchantId: shop.merchantId, environment: 'sandbox' as const, ...own() });

test.each<[string, () => Promise<unknown>]>([
  ['a token made', () => issueToken(database.pool, { ...token(), name: 'another' })],
  ['a token ended', () => withdrawToken(database.pool, { ...token(), tokenId })],
  [
    'a token rotated',
    () => rotateTokenByStaff(database.pool, tenant(), { ...own(), tokenId, overlapMs: 3_600_000 }),
  ],
  [
    'a merchant suspended',
    () => setMerchantStatus(database.pool, { ...token(), status: 'suspended' }),
  ],
  [
    'a role changed',
    () => changeRole(database.pool, tenant(), { ...own(), userId: memberId, role: 'support' }),
  ],
  ['a member removed', () => removeMember(database.pool, tenant(), { ...own(), userId: memberId })],
  [
    'somebody invited',
    () =>
      createInvitation(database.pool, tenant(), {
        ...own(),
        ...{ email: 'new@example.com', role: 'support', locale: 'en' },
      }),
  ],
  ['a session ended', () => endOneSession(database.pool, { ...own(), session }, session.id)],
  ['a sign-out', () => signOut(database.pool, { sessionId: session.id, address: null, now: NOW })],
])('%s without an entry in the audit log: nothing changes', async (_, change) => {
  const before = await contents();
  await expect(change()).rejects.toThrow('no entry');
  expect(await contents()).toEqual(before);
});
