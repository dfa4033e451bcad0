import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { continueEvents } from '../db/continue-events.ts';
import { planInOrder } from '../db/index-plans.ts';
import { inTransaction } from '../db/pool.ts';
import { cancelInvoice } from '../invoices/cancel.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import type { Tenant } from '../merchants/types.ts';
import { endRefund, openRefund } from '../refunds/transition.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { explained, type Plan } from '../testing/database/plans.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { createPaidInvoice } from '../testing/refunds.ts';
import { eventListText, parseEventQuery } from '../wire/event-list.ts';
import { eventQuery, listEvents } from './list.ts';
import { LOG_BEGINNING } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const RUNS = 25;
const WRITERS = 4;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newTenant = async () => (await createMerchantFixture(database.pool)).sandbox.tenant;

type Shown = { event_id: string; type: string; invoice_id: string };

/** A merchant's program, which keeps its cursor. */
function reader(tenant: Tenant, limit: number) {
  const query = new URLSearchParams({ limit: String(limit) });
  const seen: Shown[] = [];
  const readPage = async (): Promise<number> => {
    const request = parseEventQuery(query);
    if (!request.ok) throw new Error(JSON.stringify(request.detail));
    const page = await listEvents(database.pool, tenant, request.value);
    const { events, next_cursor } = JSON.parse(eventListText(page, request.value.after));
    if (events.length === 0 && query.has('after')) expect(next_cursor).toBe(query.get('after'));
    query.set('after', next_cursor);
    seen.push(...events);
    return events.length;
  };
  /** Reads on until there are as many: transactions of other tests may hold the newest back. */
  const readUntil = async (count: number) => {
    await expect
      .poll(
        async () => {
          while ((await readPage()) > 0);
          return seen.length;
        },
        { timeout: 20_000 },
      )
      .toBe(count);
    return seen;
  };
  return { seen, readPage, readUntil };
}

/** Writers that may begin in one order, commit in another, and die. */
class Writer {
  private client: pg.Client | null = null;
  private pending: string[] = [];
  readonly committed: string[] = [];

  private readonly tenant: Tenant;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  async write(): Promise<void> {
    if (this.client === null) {
      this.client = new pg.Client({ connectionString: database.url });
      this.client.on('error', () => undefined);
      await this.client.connect();
      await this.client.query('BEGIN');
    }
    const db = this.client as unknown as TestDatabase['pool'];
    const id = await createTestInvoice(db, this.tenant, { now: NOW });
    this.pending.push(`created ${id}`);
    if (this.pending.length % 2 === 0) return;
    await cancelInvoice(db, this.tenant, id, { actor: { type: 'api' }, now: NOW });
    this.pending.push(`canceled ${id}`);
  }

  async end(how: 'commit' | 'rollback' | 'die'): Promise<void> {
    const { client } = this;
    if (client === null) return;
    if (how === 'commit') {
      await client.query('COMMIT');
      this.committed.push(...this.pending);
    } else if (how === 'rollback') await client.query('ROLLBACK');
    // Its connection breaks off in the middle of the transaction.
    await client.end();
    this.client = null;
    this.pending = [];
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('write' as const), who: fc.nat(WRITERS - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'commit' as const,
        'commit' as const,
        'rollback' as const,
        'die' as const,
      ),
      who: fc.nat(WRITERS - 1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('read' as const), who: fc.constant(0) }) },
);

it('nothing is inserted before what was read, though writers commit out of order and die', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 30 }),
    fc.integer({ min: 1, max: 4 }),
    async (steps, limit) => {
      const tenant = await newTenant();
      const writers = Array.from({ length: WRITERS }, () => new Writer(tenant));
      const program = reader(tenant, limit);
      for (const { does, who } of steps) {
        if (does === 'read') await program.readPage();
        else if (does === 'write') await writers[who]?.write();
        else await writers[who]?.end(does);
      }
      for (const writer of writers) await writer.end('commit');
      const committed = writers.flatMap((writer) => writer.committed);
      const seen = await program.readUntil(committed.length);
      expect(
        seen.map(({ type, invoice_id }) => `${type.split('.')[1]} ${invoice_id}`).sort(),
      ).toEqual(committed.sort());
      // A reader who begins anew gets the same in the same order.
      expect(await reader(tenant, 1_000).readUntil(committed.length)).toEqual(seen);
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
}, 180_000);

it('each change writes its event in its own statement, also in sets', async () => {
  const { pool } = database;
  const tenant = await newTenant();
  const endDateMs = NOW.getTime() - 1;
  for (let count = 0; count < 3; count += 1) {
    await createTestInvoice(pool, tenant, { now: NOW, endDateMs });
  }
  expect(await expireDueInvoices(pool, { now: NOW, limit: 200 })).toEqual({ expired: 3 });
  const paid = await createPaidInvoice(pool, tenant, { now: NOW });
  const opened = {
    invoiceId: paid,
    refundTransactionId: 'r-1',
    amountMinor: 300n,
    reason: null,
    reference: null,
    actor: null,
    recoverAt: NOW,
  };
  const refund = await openRefund(pool, opened, NOW);
  const ended = { reference: null, failureReason: null, now: NOW };
  await endRefund(pool, refund?.id ?? '', 'succeed', ended);
  await endRefund(pool, refund?.id ?? '', 'fail', { ...ended, failureReason: 'closed' });
  const seen = await reader(tenant, 100).readUntil(11);
  expect(seen.map(({ type }) => type)).toEqual([
    ...new Array(3).fill('invoice.created'),
    ...new Array(3).fill('invoice.expired'),
    'invoice.created',
    'invoice.paid',
    'refund.created',
    'refund.succeeded',
    'refund.failed',
  ]);
  expect(new Set(seen.map(({ event_id }) => event_id)).size).toBe(11);
  expect(seen.at(-1)).toMatchObject({
    refund_id: refund?.id,
    invoice_id: paid,
    data: { refund_transaction_id: 'r-1', amount: 300, status: 3, failure_reason: 'closed' },
  });
  expect(seen[9]).toMatchObject({ data: { status: 2, failure_reason: null } });
  expect(seen[7]).toMatchObject({ data: { status: 2, extra_data: { provider: 'sandbox' } } });
  expect(seen[6]).toMatchObject({ data: { status: 1, extra_data: {} } });
});

it('after a restore from a dump the log goes on after its end', async () => {
  const { pool } = database;
  const tenant = await newTenant();
  const before = await createTestInvoice(pool, tenant, { now: NOW });
  const program = reader(tenant, 10);
  await program.readUntil(1);
  await continueEvents(pool);
  const offset = async () => (await pool.query('SELECT event_offset()::text AS offset')).rows[0];
  expect(await offset()).toEqual({ offset: '0' });

  // The server that the dump came from had given a thousand million ids more.
  await pool.query('UPDATE invoices SET created_position = created_position + 1000000000');
  await pool.query('UPDATE events SET position = position + 1000000000');
  const restored = reader(tenant, 10);
  await continueEvents(pool);
  await restored.readUntil(1);
  const after = await createTestInvoice(pool, tenant, { now: NOW });
  await cancelInvoice(pool, tenant, after, { actor: { type: 'api' }, now: NOW });
  const seen = await restored.readUntil(3);
  expect(seen.map(({ invoice_id }) => invoice_id)).toEqual([before, after, after]);
  const raised = await offset();
  await continueEvents(pool);
  expect(await offset()).toEqual(raised);
});

it('a page reads only what it shows, by an index', async () => {
  const { pool } = database;
  const tenant = await newTenant();
  await pool.query(
    `INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
     SELECT 1 + n / 100, $1, 'sandbox', 'invoice.paid', $2, 'inv_' || n FROM generate_series(1, 10000) n`,
    [tenant.merchantId, NOW],
  );
  for (const after of [LOG_BEGINNING, { position: 50n, number: 10n ** 17n, invoiceId: null }]) {
    const reads: Plan[] = [];
    await inTransaction(pool, async (db) => {
      await planInOrder(db);
      const query = eventQuery(tenant, { after, limit: 50 });
      await explained(db as unknown as TestDatabase['pool'], reads).query(query);
    });
    expect(reads.length).toBeGreaterThan(2);
    for (const read of reads) {
      expect(read['Node Type']).toMatch(/^Index/);
      const rows = read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0);
      expect(rows * read['Actual Loops']).toBeLessThanOrEqual(150);
    }
  }
});
