import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../auth/sign-in.ts';
import { rotateSecretByStaff } from '../merchants/rotate-secret.ts';
import { rotateTokenByStaff } from '../merchants/rotate-token.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { listTokens } from '../merchants/tokens.ts';
import { hashPassword } from '../staff/password-hash.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { ensureDemoMerchant } from './demo-merchant.ts';
import { welcome } from './welcome.ts';

const URL = 'http://localhost:3000';
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;
const NOW = new Date('2026-11-21T12:00:00.000Z');

const dataDir = withOwnDataDir();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the login that the first start prints opens the dashboard, and later starts print the same', async () => {
  const demo = await ensureDemoMerchant(database.url, dataDir(), NOW);
  const from = { address: null, addressKey: '2001:db8::1', userAgent: null, now: NOW };
  const login = { email: demo.owner.email, password: demo.owner.password ?? '' };
  expect((await signIn(database.pool, { ...login, ...from })).outcome).toBe('signed_in');
  expect(await ensureDemoMerchant(database.url, dataDir(), NOW)).toEqual(demo);
});

it('a later start prints nothing that was changed since, and says where to get another one', async () => {
  const { pool, url } = database;
  const demo = await ensureDemoMerchant(url, dataDir(), NOW);
  const { merchantId, owner } = demo;
  const sandbox = grantTenant(merchantId, 'sandbox');
  const production = grantTenant(merchantId, 'production');
  const change = { overlapMs: 3_600_000, actor: ACTOR, now: NOW };
  const { tokens } = await listTokens(pool, { ...sandbox, now: NOW });
  await rotateTokenByStaff(pool, sandbox, { ...change, tokenId: tokens[0]?.id ?? '' });
  await rotateSecretByStaff(pool, production, { ...change, endsSecretId: null });
  const hash = await hashPassword('another of their own');
  await pool.query('UPDATE users SET password_hash = $1 WHERE email = $2', [hash, owner.email]);

  const later = await ensureDemoMerchant(url, dataDir(), NOW);
  expect(later).toEqual({
    merchantId,
    owner: { email: owner.email, password: null },
    sandbox: { ...demo.sandbox, apiToken: null },
    production: { ...demo.production, webhookSecret: null },
  });
  const text = welcome(URL, later);
  const another = 'changed since; create a new one in the dashboard, under Developers';
  expect(text).toContain(`Sandbox token        ${another}\n`);
  expect(text).toContain(`Sandbox secret       ${demo.sandbox.webhookSecret}\n`);
  expect(text).toContain(`Production token     ${demo.production.apiToken}\n`);
  expect(text).toContain(`Production secret    ${another}\n`);
  expect(text).toContain(
    `${owner.email}  (password changed since; reset it at ${URL}/dashboard/forgot-password)\n`,
  );
  expect(text).toContain("Bearer gw_sandbox_…'");
});
