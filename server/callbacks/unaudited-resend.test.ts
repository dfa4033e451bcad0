import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { refuseAudit } from '../testing/refused-audit.ts';
import { resendCallback, resendFailedSince } from './resend.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const context = {
  actor: { type: 'staff', id: 'usr_1', label: 'anna@shop.example' },
  now: new Date(T0.getTime() + 1_000),
} as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('what cannot be written into the audit log is not sent again', async () => {
  const { pool } = database;
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  const [id = ''] = await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: T0 });
  await pool.query(`UPDATE callbacks SET state = 'exhausted', attempt_count = 11`);
  await refuseAudit(pool);
  const { tenant } = sandbox;
  await expect(resendCallback(pool, tenant, id, context)).rejects.toThrow('no entry');
  const failed = { since: T0, ...context };
  await expect(resendFailedSince(pool, tenant, failed)).rejects.toThrow('no entry');
  const { rows } = await pool.query('SELECT state FROM callbacks');
  expect(rows).toEqual([{ state: 'exhausted' }]);
});
