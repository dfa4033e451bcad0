import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { recordAudit } from './audit.ts';
import { listRecentAudit } from './audit-log.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const actor = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('what was done last comes with the details that its sentences name', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const details = { email: 'a@example.com', role: 'support' };
  await recordAudit(pool, { actor, now: NOW, action: 'member.invite', merchantId, details });
  await recordAudit(pool, { actor, now: NOW, action: 'merchant.suspend', merchantId });
  expect(await listRecentAudit(pool, merchantId, 2)).toEqual([
    expect.objectContaining({ action: 'merchant.suspend', details: {} }),
    expect.objectContaining({ action: 'member.invite', details }),
  ]);
});
