import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { refuseAudit } from '../testing/refused-audit.ts';
import { cancelByStaff } from './cancel-by-staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('what was cancelled before is nobody else’s cancel in the audit log', async () => {
  const { pool } = database;
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  const id = await createTestInvoice(pool, tenant, { now: NOW });
  for (const name of ['a', 'b']) {
    const actor = { type: 'staff', id: `usr_${name}`, label: `${name}@example.com` } as const;
    const result = await cancelByStaff(pool, tenant, id, { actor, now: NOW });
    expect(result).toMatchObject({ outcome: 'canceled', isNew: name === 'a' });
  }
  const entries = 'SELECT actor_id FROM audit_log WHERE target_id = $1';
  expect((await pool.query(entries, [id])).rows).toEqual([{ actor_id: 'usr_a' }]);
});

test('a cancel whose entry in the audit log cannot be written does not happen', async () => {
  const { pool } = database;
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  const id = await createTestInvoice(pool, tenant, { now: NOW });
  await refuseAudit(database.pool);
  const actor = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;
  await expect(cancelByStaff(pool, tenant, id, { actor, now: NOW })).rejects.toThrow('no entry');
  const { rows } = await pool.query(
    `SELECT i.status, c.invoice_id AS callback FROM invoices i
     LEFT JOIN callbacks c ON c.invoice_id = i.id WHERE i.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ status: 'PENDING', callback: null }]);
});
