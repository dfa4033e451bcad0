import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { notificationOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { callbackCommands } from './callback-commands.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = COMMAND_NOW;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

/** Runs `callback …` and returns its output. */
const run = (...args: string[]) => runCommand(callbackCommands, args, database);

/** A cancelled invoice whose callback has failed for good. */
async function exhausted(): Promise<string> {
  const { tenant } = merchant.sandbox;
  const id = await createTestInvoice(database.pool, tenant, { now: NOW });
  await cancelInvoice(database.pool, tenant, id, { actor: { type: 'api' }, now: NOW });
  await database.pool.query(
    `UPDATE callbacks SET state = 'exhausted', attempt_count = 1, last_reason = 'connection refused'
     WHERE invoice_id = $1`,
    [id],
  );
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, reason, trigger)
     VALUES ($1, 1, $2, 12, false, 'connection refused', 'schedule')`,
    [notificationOf(id), NOW.toISOString()],
  );
  return id;
}

async function auditOf(action: string) {
  const { rows } = await database.pool.query(
    'SELECT actor_type::text, actor_label FROM audit_log WHERE action = $1',
    [action],
  );
  return rows;
}

describe('gateway callback', () => {
  it('lists by state, and shows why each attempt did not count', async () => {
    const id = await exhausted();
    const list = JSON.parse(await run('list', merchant.id, 'sandbox', '--json'));
    expect(list).toContainEqual(
      expect.objectContaining({
        invoice_id: id,
        state: 'exhausted',
        last_reason: 'connection refused',
      }),
    );
    expect(await run('list', merchant.id, 'sandbox', '--state', 'delivered')).toBe(
      'There is no such callback.',
    );
    const shown = await run('show', merchant.id, 'sandbox', id);
    expect(shown).toContain(`"invoice_id":"${id}"`);
    expect(shown).toMatch(/12 ms +- +schedule +connection refused/);
  });

  it('shows the newest answer of the merchant’s server, whatever is in it', async () => {
    const id = await exhausted();
    expect(await run('show', merchant.id, 'sandbox', id)).not.toContain('The answer to');
    await database.pool.query(
      `INSERT INTO callback_attempts
         (callback_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger)
       VALUES ($1, 2, $2, 9, 401, false, 'answered 401, not 200', $3, 'schedule'),
              ($1, 3, $2, 9, NULL, false, 'connection refused', NULL, 'schedule')`,
      [
        notificationOf(id),
        NOW.toISOString(),
        Buffer.from('{"fault":"wrong signature"}\n\u001b[2J\u009b2J'),
      ],
    );
    expect(await run('show', merchant.id, 'sandbox', id)).toContain(
      String.raw`The answer to attempt 2:
{"fault":"wrong signature"}
\u001b[2J\u009b2J`,
    );
  });

  it('lets nothing in a body steer the terminal', async () => {
    const { tenant } = merchant.sandbox;
    // JSON may hold these characters unescaped.
    const changes = { merchantData: '{"note":"\u009b2J\u007f"}' };
    const id = await createTestInvoice(database.pool, tenant, { now: NOW, ...changes });
    await cancelInvoice(database.pool, tenant, id, { actor: { type: 'api' }, now: NOW });
    const shown = await run('show', merchant.id, 'sandbox', id);
    expect(shown).toContain(String.raw`{"note":"\u009b2J\u007f"}`);
  });

  it('shows the newest attempts of very many, and says how many there are', async () => {
    const id = await exhausted();
    expect(await run('show', merchant.id, 'sandbox', id)).not.toContain('Only the newest');
    const { pool } = database;
    await pool.query(
      `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, reason, trigger)
       SELECT $1, n, $2, 12, false, 'failure ' || n, 'resend' FROM generate_series(2, 201) n`,
      [notificationOf(id), NOW.toISOString()],
    );
    await pool.query('UPDATE callbacks SET attempt_count = 201 WHERE invoice_id = $1', [id]);
    const shown = await run('show', merchant.id, 'sandbox', id);
    expect(shown).not.toMatch(/schedule +connection refused/);
    const reasons = shown.match(/(?<=resend +)failure \d+/g);
    expect(reasons).toEqual(Array.from({ length: 200 }, (_, i) => `failure ${i + 2}`));
    expect(shown).toContain('Only the newest 200 of 201 attempts are shown.');
  });

  it('resends one, and the audit log names the command', async () => {
    const id = await exhausted();
    expect(await run('resend', merchant.id, 'sandbox', id)).toContain('is due now');
    const { rows } = await database.pool.query(
      'SELECT state::text FROM callbacks WHERE invoice_id = $1',
      [id],
    );
    expect(rows).toEqual([{ state: 'pending' }]);
    expect(await auditOf('callback.resend')).toEqual([
      { actor_type: 'operator', actor_label: 'gateway command' },
    ]);
  });

  it('resends all that failed since a time', async () => {
    await exhausted();
    expect(await run('resend', merchant.id, 'sandbox', '--failed-since', '2026-11-22')).toBe(
      '0 callbacks are due now.',
    );
    expect(await run('resend', merchant.id, 'sandbox', '--failed-since', '2026-11-21')).toMatch(
      /^[1-9]\d* callbacks? (is|are) due now\.$/,
    );
    expect(await auditOf('callback.resend_failed')).not.toEqual([]);
  });

  it('refuses the other environment, an unknown merchant, and neither or both choices', async () => {
    const id = await exhausted();
    await expect(run('resend', merchant.id, 'production', id)).rejects.toThrow('no callback');
    await expect(run('list', 'mer_none', 'sandbox')).rejects.toThrow('no merchant mer_none');
    await expect(run('resend', merchant.id, 'sandbox')).rejects.toThrow(
      'Give an invoice id or --failed-since <time>.',
    );
    await expect(
      run('resend', merchant.id, 'sandbox', id, '--failed-since', '2026-11-21'),
    ).rejects.toThrow('not both');
    await expect(
      run('resend', merchant.id, 'sandbox', '--failed-since', 'yesterday'),
    ).rejects.toThrow('2027-12-31');
    await expect(run('list', merchant.id, 'sandbox', '--limit', '0')).rejects.toThrow('1 to 100');
  });
});
