import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { hashesOf, newInvoice } from '../testing/invoices.ts';
import { epochMs } from './columns.ts';
import { type CreateCommand, createInvoice, findFirst } from './create.ts';
import { createInvoices } from './create-many.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
const NOW = new Date('2026-11-21T12:00:00.123Z');
const DAY_MS = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

function command(
  transactionId: string,
  key?: { key: string; body: string },
  at = NOW,
): CreateCommand {
  const id = newId('inv', at.getTime());
  return {
    id,
    createdAt: at,
    requestId: null,
    invoice: newInvoice({ merchantTransactionId: transactionId }),
    idempotency: key
      ? {
          key: key.key,
          ...hashesOf(key.body),
          responseBody: Buffer.from(`answer with ${id}`),
        }
      : null,
  };
}

const countOf = async (transactionId: string) => {
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM invoices WHERE merchant_transaction_id = $1',
    [transactionId],
  );
  return rows[0]?.n;
};

describe('createInvoice', () => {
  test('of 50 equal creates at once one is created and 49 are duplicates', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        createInvoice(database.pool, merchant.sandbox.tenant, command('same-50')),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(49);
    expect(await countOf('same-50')).toBe(1);
  });

  test('every time comes back to the millisecond, alone and in a batch', async () => {
    const instants = fc.integer({
      min: NOW.getTime(),
      max: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(instants, { minLength: 1, maxLength: 20 }), async (times) => {
        const commands = times.map((endDateMs) => {
          count += 1;
          const made = command(`time-${count}`, undefined, new Date(endDateMs));
          return { ...made, invoice: { ...made.invoice, endDateMs } };
        });
        const { tenant } = merchant.sandbox;
        const rows = commands.map((each) => ({ tenant, command: each }));
        if (rows.length > 1) await createInvoices(database.pool, rows);
        else for (const each of commands) await createInvoice(database.pool, tenant, each);
        const { rows: kept } = await database.pool.query(
          `SELECT ${epochMs('end_date')} AS ends, ${epochMs('created_at')} AS created
           FROM unnest($1::text[]) WITH ORDINALITY AS a (id, at) JOIN invoices USING (id) ORDER BY at`,
          [commands.map(({ id }) => id)],
        );
        expect(kept).toEqual(times.map((time) => ({ ends: time, created: time })));
      }),
      { numRuns: 100, examples: [[[Date.UTC(9999, 11, 31, 23, 59, 59, 999)]]] },
    );
  });

  test('the same transaction id is free in the other environment and at another merchant', async () => {
    const other = await createMerchantFixture(database.pool);
    for (const tenant of [
      merchant.sandbox.tenant,
      merchant.production.tenant,
      other.sandbox.tenant,
    ]) {
      const { outcome } = await createInvoice(database.pool, tenant, command('per-tenant'));
      expect(outcome).toBe('created');
    }
  });

  test('transaction ids are compared exactly: case and blanks matter', async () => {
    for (const id of ['Order', 'order', ' order', 'order ']) {
      const created = await createInvoice(database.pool, merchant.sandbox.tenant, command(id));
      expect(created.outcome).toBe('created');
    }
  });

  test('the same key with the same body replays the first answer, byte for byte', async () => {
    const first = command('replay', { key: 'k1', body: 'b' });
    expect(await createInvoice(database.pool, merchant.sandbox.tenant, first)).toEqual({
      outcome: 'created',
    });
    const again = await createInvoice(
      database.pool,
      merchant.sandbox.tenant,
      command('replay', { key: 'k1', body: 'b' }),
    );
    expect(again).toEqual({ outcome: 'replayed', responseBody: first.idempotency?.responseBody });
    expect(await countOf('replay')).toBe(1);
  });

  test('the same key with another body is refused and creates nothing', async () => {
    const tenant = merchant.sandbox.tenant;
    await createInvoice(database.pool, tenant, command('key-a', { key: 'k2', body: 'a' }));
    const other = await createInvoice(
      database.pool,
      tenant,
      command('key-b', { key: 'k2', body: 'b' }),
    );
    expect(other).toEqual({ outcome: 'key_reused' });
    expect(await countOf('key-b')).toBe(0);
  });

  test('a key whose first answer was 409 answers 409 again, and 422 for another body', async () => {
    const tenant = merchant.sandbox.tenant;
    await createInvoice(database.pool, tenant, command('taken'));
    for (let i = 0; i < 2; i++) {
      const refused = await createInvoice(
        database.pool,
        tenant,
        command('taken', { key: 'k3', body: 'x' }),
      );
      expect(refused).toEqual({ outcome: 'duplicate' });
    }
    const other = await createInvoice(
      database.pool,
      tenant,
      command('free', { key: 'k3', body: 'y' }),
    );
    expect(other).toEqual({ outcome: 'key_reused' });
  });

  test('of 20 creates with one key at once one is created and 19 replay its answer', async () => {
    const commands = Array.from({ length: 20 }, () =>
      command('keyed-20', { key: 'k4', body: 'same' }),
    );
    const outcomes = await Promise.all(
      commands.map((each) => createInvoice(database.pool, merchant.sandbox.tenant, each)),
    );
    const winner = commands[outcomes.findIndex(({ outcome }) => outcome === 'created')];
    const replayed = outcomes.filter((each) => each.outcome === 'replayed');
    expect(replayed).toHaveLength(19);
    for (const each of replayed) {
      expect(each).toHaveProperty('responseBody', winner?.idempotency?.responseBody);
    }
  });

  test('two bodies with one key at once: one invoice, the other is refused whole', async () => {
    const outcomes = await Promise.all(
      ['p', 'q'].map((body) =>
        createInvoice(
          database.pool,
          merchant.sandbox.tenant,
          command(`key-race-${body}`, { key: 'k5', body }),
        ),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['created', 'key_reused']);
    expect(Number(await countOf('key-race-p')) + Number(await countOf('key-race-q'))).toBe(1);
  });

  test('after 24 hours a key is free again', async () => {
    const tenant = merchant.sandbox.tenant;
    await createInvoice(database.pool, tenant, command('day-1', { key: 'k6', body: 'a' }));
    const justBefore = new Date(NOW.getTime() + DAY_MS - 1);
    const early = command('day-2', { key: 'k6', body: 'b' }, justBefore);
    expect((await createInvoice(database.pool, tenant, early)).outcome).toBe('key_reused');
    const late = command('day-2', { key: 'k6', body: 'b' }, new Date(NOW.getTime() + DAY_MS));
    expect((await createInvoice(database.pool, tenant, late)).outcome).toBe('created');
  });

  test('after 24 hours nothing is known of a key by its look-up either', async () => {
    const { tenant } = merchant.sandbox;
    const key = { key: 'k7', body: 'a' };
    const first = command('looked-up', key);
    await createInvoice(database.pool, tenant, first);
    const responseBody = first.idempotency?.responseBody;
    const over = NOW.getTime() + DAY_MS;
    const find = (of: Tenant, atMs: number) =>
      findFirst(database.pool, of, {
        key: key.key,
        hashes: hashesOf(key.body),
        now: new Date(atMs),
      });
    expect(await find(tenant, over - 1)).toEqual({ outcome: 'replayed', responseBody });
    expect(await find(tenant, over)).toBeNull();
    expect(await find(merchant.production.tenant, over - 1)).toBeNull();
  });

  test('whoever waits while a key is taken anew is answered by that, not by what was before', async () => {
    const { pool } = database;
    const { tenant } = merchant.sandbox;
    const over = new Date(NOW.getTime() + DAY_MS);
    await createInvoice(pool, tenant, command('before', { key: 'k8', body: 'a' }));
    const other = await pool.connect();
    await other.query('BEGIN');
    const anew = command('anew', { key: 'k8', body: 'b' }, over);
    expect((await createInvoice(other, tenant, anew)).outcome).toBe('created');
    const waiting = createInvoice(pool, tenant, command('waits', { key: 'k8', body: 'a' }, over));
    const locks = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(locks)).rowCount).toBe(1);
    await other.query('COMMIT');
    other.release();
    expect(await waiting).toEqual({ outcome: 'key_reused' });
    expect(await countOf('waits')).toBe(0);
  });
});
