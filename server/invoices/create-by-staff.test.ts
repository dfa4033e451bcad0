import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditActor } from '../merchants/audit.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { newInvoice } from '../testing/invoices.ts';
import { refuseAudit } from '../testing/refused-audit.ts';
import { createByStaff, lastCurrency } from './create-by-staff.ts';
import type { NewInvoice } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const STAFF = { type: 'staff', id: 'usr_1', label: 'a@example.com' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

function create(invoice: NewInvoice, formKey: string, actor: AuditActor = STAFF) {
  const command = { invoice, formKey, sent: { reference: invoice.merchantTransactionId } };
  return createByStaff(database.pool, merchant.sandbox.tenant, command, { actor, now: NOW });
}

async function counts(): Promise<unknown> {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM invoices) AS invoices,
            (SELECT count(*)::int FROM audit_log WHERE action = 'invoice.create'
               AND actor_label = 'a@example.com') AS entries`,
  );
  return rows[0];
}

it('makes one invoice and one audit entry, however often the button is pressed', async () => {
  const invoice = newInvoice();
  const presses = await Promise.all([1, 2, 3].map(() => create(invoice, 'form-1')));
  const again = await create(invoice, 'form-1');
  const [first] = presses;
  expect(first?.outcome).toBe('created');
  for (const press of [...presses, again]) expect(press).toEqual(first);
  expect(await counts()).toEqual({ invoices: 1, entries: 1 });
});

it('refuses a transaction id that another form used, and logs nothing', async () => {
  const invoice = newInvoice({ merchantTransactionId: 'used' });
  expect((await create(invoice, 'form-2')).outcome).toBe('created');
  expect(await create(invoice, 'form-3')).toEqual({ outcome: 'duplicate' });
  expect(await counts()).toEqual({ invoices: 2, entries: 2 });
});

it('calls no transaction id used where a form that was sent comes back with another', async () => {
  await create(newInvoice({ merchantTransactionId: 'first' }), 'form-5');
  const before = await counts();
  const other = create(newInvoice({ merchantTransactionId: 'second' }), 'form-5');
  await expect(other).rejects.toMatchObject({ kind: 'conflict' });
  expect(await counts()).toEqual(before);
});

it('keeps the forms of two people apart, though their keys are the same', async () => {
  const first = await create(newInvoice(), 'form-6');
  const colleague = { type: 'staff', id: 'usr_2', label: 'b@example.com' } as const;
  const second = await create(newInvoice(), 'form-6', colleague);
  expect([first.outcome, second.outcome]).toEqual(['created', 'created']);
  expect(second).not.toEqual(first);
});

it('proposes the currency of the person’s last link, before that of the last invoice', async () => {
  const { pool } = database;
  const { sandbox, production: live } = await createMerchantFixture(pool);
  const { tenant } = sandbox;
  const newcomer = { type: 'staff', id: 'usr_3', label: 'c@example.com' } as const;
  const make = (currency: 'RUB' | 'UZS' | 'EUR', actor: AuditActor, atMs: number) => {
    const command = { invoice: newInvoice({ currency }), formKey: currency, sent: { currency } };
    return createByStaff(pool, tenant, command, { actor, now: new Date(NOW.getTime() + atMs) });
  };
  await make('RUB', STAFF, 1);
  expect(await lastCurrency(pool, tenant, newcomer.id)).toBe('RUB');
  await make('UZS', newcomer, 2);
  await make('EUR', STAFF, 3);
  expect(await lastCurrency(pool, tenant, newcomer.id)).toBe('UZS');
  const { tenant: production } = live;
  expect(await lastCurrency(pool, production, newcomer.id)).toBe('UZS');
  expect(await lastCurrency(pool, production, 'usr_4')).toBeNull();
});

// This test is the last: nothing is audited here afterwards.
it('makes no invoice whose entry in the audit log cannot be written', async () => {
  const before = await counts();
  await refuseAudit(database.pool);
  await expect(create(newInvoice(), 'form-last')).rejects.toThrow('no entry');
  expect(await counts()).toEqual(before);
});
