import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
  await database.pool.query(`INSERT INTO merchants (id, name) VALUES ('m', 'M')`);
});
afterAll(() => database.drop());

const run = (sql: string) => database.pool.query(sql);
const invoice = (id: string, fields: { amount?: number; status?: string; attempt?: string } = {}) =>
  run(`INSERT INTO invoices
    (id, merchant_id, environment, merchant_transaction_id, status, amount_minor, currency, description,
     positions, success_url, error_url, callback_url, end_date, created_at, status_changed_at, capture_attempt_id)
    VALUES ('${id}', 'm', 'sandbox', '${id}', '${fields.status ?? 'PENDING'}', ${fields.amount ?? 1}, 'USD', 'd',
     '[]', 'http://a', 'http://a', 'http://a', now(), now(), now(), ${fields.attempt ? `'${fields.attempt}'` : 'NULL'})`);
const attempt = (id: string, invoiceId: string, status: string, amount = 1) =>
  run(`INSERT INTO payment_attempts
    (id, invoice_id, status, provider, amount_minor, currency, card_brand, card_last4, created_at, updated_at)
    VALUES ('${id}', '${invoiceId}', '${status}', 'sandbox', ${amount}, 'USD', 'visa', '4242', now(), now())`);

describe('the database refuses', () => {
  it('an invoice or an attempt over nothing or less', async () => {
    await expect(invoice('zero', { amount: 0 })).rejects.toThrow('invoices_amount_positive');
    await expect(invoice('less', { amount: -1 })).rejects.toThrow('invoices_amount_positive');
    await invoice('one');
    await expect(attempt('a0', 'one', 'declined', 0)).rejects.toThrow('amount_positive');
  });

  it('a PAID invoice that no attempt paid', async () => {
    await expect(invoice('free', { status: 'PAID' })).rejects.toThrow('paid_by_an_attempt');
  });

  it.each(['PAID', 'EXPIRED', 'CANCELED'])('to change %s, whoever asks', async (status) => {
    await invoice(`final-${status}`, { status, attempt: 'pay_1' });
    for (const other of ['PENDING', 'PAID', 'EXPIRED', 'CANCELED']) {
      if (other === status) continue;
      const change = `UPDATE invoices SET status = '${other}' WHERE id = 'final-${status}'`;
      await expect(run(change)).rejects.toThrow('which is final');
    }
    await run(`UPDATE invoices SET extra_data = '{}' WHERE id = 'final-${status}'`);
  });

  it('a second status change in the history of an invoice', async () => {
    await invoice('history');
    const event = (to: string) =>
      run(`INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type)
           VALUES ('history', 'PENDING', '${to}', now(), 'clock')`);
    await expect(event('PENDING')).rejects.toThrow('from_pending');
    await event('EXPIRED');
    await expect(event('PAID')).rejects.toThrow('invoice_events_invoice_id_key');
  });

  it('two attempts at work for one invoice', async () => {
    await invoice('busy');
    await attempt('b1', 'busy', 'declined');
    await attempt('b2', 'busy', 'authorising');
    await expect(attempt('b3', 'busy', 'capturing')).rejects.toThrow('one_at_work');
    await run(`UPDATE payment_attempts SET status = 'failed' WHERE id = 'b2'`);
    await attempt('b4', 'busy', 'capturing');
  });

  it('two attempts that hold one authorisation', async () => {
    const payment = async (id: string, status: string) => {
      await invoice(id);
      await attempt(id, id, status);
      await run(`UPDATE payment_attempts SET authorisation_id = 'once' WHERE id = '${id}'`);
    };
    await payment('once1', 'capturing');
    await payment('once2', 'declined');
    for (const status of ['challenge', 'capturing', 'captured', 'voiding']) {
      await expect(payment(`once_${status}`, status)).rejects.toThrow('one_holder');
    }
  });

  it('a capture and a void of one authorisation', async () => {
    await run(`INSERT INTO sandbox_authorisations
      (id, idempotency_key, amount_minor, currency, outcome, state, created_at, answers_at)
      VALUES ('auth', 'key', 1, 'USD', 'approved', 'approved', now(), now())`);
    const entry = (kind: string) =>
      run(`INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
           VALUES ('auth', '${kind}', 1, 'USD', now())`);
    await entry('authorisation');
    await entry('capture');
    await expect(entry('void')).rejects.toThrow('one_end');
    await expect(entry('capture')).rejects.toThrow(/one_end|kind_key/);
  });

  it('words outside a closed set', async () => {
    await expect(run(`UPDATE sandbox_authorisations SET state = 'odd'`)).rejects.toThrow(
      'state_known',
    );
    const user = `INSERT INTO users (id, email) VALUES ('u', 'Upper@example.com')`;
    await expect(run(user)).rejects.toThrow('lower_case');
  });

  it('to change, delete or empty the audit log', async () => {
    await run(
      `INSERT INTO audit_log (actor_type, actor_label, action) VALUES ('operator', 'x', 'y')`,
    );
    await expect(run(`UPDATE audit_log SET action = 'z'`)).rejects.toThrow('append-only');
    await expect(run('DELETE FROM audit_log')).rejects.toThrow('append-only');
    await expect(run('TRUNCATE audit_log')).rejects.toThrow('append-only');
  });
});
