import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startCuttingProxy } from '../../e2e/faults/cutting-proxy.ts';
import { openPool, type Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { bursts, contentsOf, createWorld, runBurst } from '../testing/invoice-bursts.ts';
import { hashesOf, newInvoice } from '../testing/invoices.ts';
import { coalescedSteps } from './coalesced.ts';
import type { CreateCommand } from './create.ts';
import { createInvoices } from './create-many.ts';
import { coalescedInvoices, oneByOneInvoices } from './merchant-invoices.ts';

let database: TestDatabase;
let merchant: MerchantFixture;
let tenant: Tenant;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const RUNS = 60;
const { seed, path } = inject('model');

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  ({ tenant } = merchant.sandbox);
});
afterAll(() => database.drop());

function command(transactionId: string, key: string | null = null, at = NOW): CreateCommand {
  const id = newId('inv', at.getTime());
  return {
    id,
    createdAt: at,
    requestId: null,
    invoice: newInvoice({ merchantTransactionId: transactionId }),
    idempotency: key
      ? { key, ...hashesOf('same'), responseBody: Buffer.from(`answer with ${id}`) }
      : null,
  };
}

/** The database, recording the statements that it was sent and the codes of failures. */
function watched(db: Queryable): Queryable & { statements: string[]; failures: string[] } {
  const statements: string[] = [];
  const failures: string[] = [];
  return {
    statements,
    failures,
    query: (config, values) => {
      statements.push(typeof config === 'string' ? config : (config.name ?? ''));
      const result = db.query<never>(config, values);
      result.catch((error: { code?: string }) => failures.push(error.code ?? 'no code'));
      return result;
    },
  };
}

test('batched and one by one, the same is answered and written', {
  timeout: 120_000,
}, async () => {
  const { pool } = database;
  const property = fc.asyncProperty(
    bursts,
    fc.constantFrom(2, 5, 64),
    async (all, rowsInStatement) => {
      // One statement at a time makes the order of arrival the order of the statements.
      const inOrder = { statementsInFlight: 1, statementsBeside: 0 };
      const batched = coalescedInvoices(pool, { rowsInStatement, ...inOrder });
      const alone = oneByOneInvoices(pool);
      const [first, second] = [
        await createWorld(pool, 'batched_'),
        await createWorld(pool, 'one_'),
      ];
      try {
        for (const burst of all) {
          const answers = await runBurst(first, batched, { burst, atOnce: true });
          expect(answers).toEqual(await runBurst(second, alone, { burst, atOnce: false }));
        }
        expect(await contentsOf(pool, first)).toEqual(await contentsOf(pool, second));
      } finally {
        await pool.query('TRUNCATE invoices, idempotency_keys CASCADE');
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed, path, endOnFailure: false });
});

describe('a batch', () => {
  test('is one statement, and a caller alone sends the ordinary one', async () => {
    const db = watched(database.pool);
    const invoices = coalescedInvoices(db);
    await invoices.create(tenant, command('lone'));
    const commands = Array.from({ length: 20 }, (_, index) => command(`one-statement-${index}`));
    await Promise.all(commands.map((each) => invoices.create(tenant, each)));
    const context = { now: NOW, actor: { type: 'api' } as const };
    await Promise.all(
      commands.map(({ id }) => invoices.readStatus(tenant, { invoiceId: id }, context)),
    );
    await Promise.all(commands.map(({ id }) => invoices.cancel(tenant, id, context)));
    expect(db.statements).toEqual([
      'create_invoice',
      'create_invoices',
      'statuses_by_id',
      'tenants_cancel_many',
    ]);
  });

  // The steps are used because a claim can come between the read of an invoice and its expiry.
  test.each([
    ['cancel', NOW, 'CANCELED'],
    ['expire', new Date(newInvoice().endDateMs + 1), 'EXPIRED'],
  ] as const)(
    'does not %s those that a capture is in flight for, and them alone',
    async (trigger, now, done) => {
      const db = watched(database.pool);
      const commands = [0, 1, 2, 3].map((index) => command(`in-flight-${trigger}-${index}`));
      await createInvoices(
        database.pool,
        commands.map((each) => ({ tenant, command: each })),
      );
      const ids = commands.map(({ id }) => id);
      await database.pool.query(
        `UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = ANY ($1)`,
        [ids.slice(0, 2)],
      );
      const steps = coalescedSteps(db);
      const actor = { type: 'api' } as const;
      const changed = await Promise.all(
        ids.map((invoiceId) => steps[trigger]({ invoiceId, tenant, actor, now })),
      );
      expect(db.statements).toEqual([`tenants_${trigger}_many`]);
      expect(changed.map((row) => row?.status ?? null)).toEqual([null, null, done, done]);

      const invoices = coalescedInvoices(database.pool);
      const cancels = ids.map((id) => invoices.cancel(tenant, id, { now, actor }));
      const outcomes = (await Promise.all(cancels)).map(({ outcome }) => outcome);
      expect(outcomes.slice(0, 2)).toEqual(['payment_in_progress', 'payment_in_progress']);
      const { rows } = await database.pool.query(
        `SELECT i.status, c.invoice_id IS NOT NULL AS told, e.invoice_id IS NOT NULL AS noted
       FROM invoices i LEFT JOIN callbacks c ON c.invoice_id = i.id
       LEFT JOIN invoice_events e ON e.invoice_id = i.id
       WHERE i.id = ANY ($1) ORDER BY array_position($1, i.id)`,
        [ids],
      );
      const untouched = { status: 'PENDING', told: false, noted: false };
      const ended = { status: done, told: true, noted: true };
      expect(rows).toEqual([untouched, untouched, ended, ended]);
    },
  );

  test('with one bad row fails that row alone', async () => {
    const invoices = coalescedInvoices(database.pool);
    const nobody = grantTenant('mer_that_does_not_exist', 'sandbox');
    const tenants = [tenant, tenant, nobody, tenant];
    const results = await Promise.allSettled(
      tenants.map((each, index) => invoices.create(each, command(`bad-row-${index}`))),
    );
    expect(
      results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)),
    ).toEqual([{ outcome: 'created' }, { outcome: 'created' }, '23503', { outcome: 'created' }]);
  });

  test('whose connection is cut after its COMMIT is an error to all and is not tried again', async () => {
    const url = new URL(database.url);
    const proxy = await startCuttingProxy(Number(url.port));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const pool = openPool(url.href, 2);
    const db = watched(pool);
    const invoices = coalescedInvoices(db);
    const keyOf = (index: number) => (index % 2 === 0 ? `cut-${index}` : null);
    const creates = () =>
      Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          invoices.create(tenant, command(`cut-${index}`, keyOf(index))),
        ),
      );
    await invoices.create(tenant, command('before the cut'));
    proxy.arm('create_invoice');
    const cut = await creates();
    expect(proxy.cuts()).toBe(1);
    expect(cut.every(({ status }) => status === 'rejected')).toBe(true);
    expect(db.statements).toEqual(['create_invoice', 'create_invoices_with_keys']);
    const again = await creates();
    expect(again.map((each) => each.status === 'fulfilled' && each.value.outcome)).toEqual(
      Array.from({ length: 10 }, (_, index) => (keyOf(index) ? 'replayed' : 'duplicate')),
    );
    await pool.end();
    await proxy.close();
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM invoices WHERE merchant_transaction_id LIKE 'cut-%'`,
    );
    expect(rows).toEqual([{ n: 10 }]);
  });

  test('leaves to a try of its own what came when the day of its key was over', async () => {
    await coalescedInvoices(database.pool).create(tenant, command('day', 'day'));
    const over = new Date(NOW.getTime() + 86_400_000);
    const before = new Date(over.getTime() - 1);
    const outcomes = await createInvoices(database.pool, [
      { tenant, command: command('day-1', 'day', before) },
      { tenant, command: command('day-2', 'day', over) },
    ]);
    expect(outcomes.map((each) => each?.outcome)).toEqual(['replayed', undefined]);
  });
});

// The planner may do this for a small table: rows then come in the table's order.
const WITHOUT_INDEXES = ['indexscan', 'indexonlyscan', 'bitmapscan'].map(
  (each) => `enable_${each}=off`,
);

/** A URL whose sessions detect a deadlock within the half second that a batch waits for a lock. */
function watchful(settings: string[]): string {
  const options = ['deadlock_timeout=50ms', ...settings].map((each) => `-c ${each}`).join(' ');
  return `${database.url}&${new URLSearchParams({ options })}`;
}

test.each([
  ['planned alike', []],
  ['of which one reads whole tables', WITHOUT_INDEXES],
])(
  'batches of two processes with the same ids in other orders, %s, do not lock each other',
  async (_, settings) => {
    const pools = [openPool(watchful([]), 4), openPool(watchful(settings), 4)];
    const watchers = pools.map((pool) => watched(pool));
    const processes = watchers.map((db) => coalescedInvoices(db));
    const names = Array.from({ length: 40 }, (_, index) => `cross-${index}-${settings.length}`);
    const made: string[] = [];
    for (let round = 0; round < 20; round++) {
      const key = (name: string) => (round % 2 === 0 ? null : `${name} ${round}`);
      const outcomes = await Promise.all(
        processes.flatMap((invoices, side) =>
          (side === 0 ? names : names.toReversed()).map(async (name) => {
            const each = command(`${name} ${round}`, key(name));
            const { outcome } = await invoices.create(tenant, each);
            if (outcome === 'created') made.push(each.id);
            return outcome;
          }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(names.length);
    }
    const context = { now: NOW, actor: { type: 'api' } as const };
    const canceled = await Promise.all(
      processes.flatMap((invoices, side) =>
        (side === 0 ? made : made.toReversed()).map((id) => invoices.cancel(tenant, id, context)),
      ),
    );
    expect(new Set(canceled.map(({ outcome }) => outcome))).toEqual(new Set(['canceled']));
    // A wait for the other is fine, even a long one on a stalled machine.
    expect(watchers.flatMap(({ failures }) => failures)).not.toContain('40P01');
    const { rows } = await database.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM callbacks WHERE invoice_id = ANY ($1)',
      [made],
    );
    expect(rows[0]?.n).toBe(made.length);
    await Promise.all(pools.map((pool) => pool.end()));
  },
);
