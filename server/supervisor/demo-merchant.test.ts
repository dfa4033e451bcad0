import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../auth/sign-in.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { ensureDemoMerchant } from './demo-merchant.ts';

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
  expect((await signIn(database.pool, { ...demo.owner, ...from })).outcome).toBe('signed_in');
  expect(await ensureDemoMerchant(database.url, dataDir(), NOW)).toEqual(demo);
});
