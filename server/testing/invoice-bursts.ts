import fc from 'fast-check';
import type pg from 'pg';
import type { CreateCommand } from '../invoices/create.ts';
import type { MerchantInvoices } from '../invoices/merchant-invoices.ts';
import type { Tenant } from '../merchants/types.ts';
import { createMerchantFixture } from './factories.ts';
import { hashesOf, newInvoice } from './invoices.ts';

/** One caller's request; tenants, transactions, keys and invoices by number. */
type Operation =
  | {
      verb: 'create';
      tenant: number;
      transaction: number;
      key: number | null;
      body: number;
      lastsMs: number;
    }
  | { verb: 'status'; tenant: number; target: number; byTransaction: boolean }
  | { verb: 'cancel'; tenant: number; target: number };

/**
 * Requests that several callers make at once, this long after the previous burst. Meanwhile
 * captures are in flight for the `capturing` invoices that are still PENDING, and for no others.
 */
export type Burst = { waitMs: number; capturing: number[]; operations: Operation[] };

const HOUR_MS = 3_600_000;
const TENANTS = 3;
const TRANSACTIONS = 5;
const tenant = fc.nat({ max: TENANTS - 1 });
const target = fc.nat({ max: 30 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('create' as const),
      tenant,
      transaction: fc.nat({ max: TRANSACTIONS - 1 }),
      key: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
      body: fc.nat({ max: 1 }),
      lastsMs: fc.constantFrom(1, 10, 2_000, 100 * HOUR_MS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('status' as const),
      tenant,
      target,
      byTransaction: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('cancel' as const), tenant, target }) },
);

const transactionOf = (target: number): number => target % TRANSACTIONS;

/** The invoice that an operation names, among those from before its burst. */
const numberOf = (target: number, known: number): number => (known === 0 ? -1 : target % known);

/**
 * Leaves out results that concurrent callers may see either way: a status of what the same burst
 * creates or cancels.
 */
function withoutRaces(operations: Operation[], known: number): Operation[] {
  const changes = operations.some(({ verb }) => verb !== 'status');
  const cancels = new Set<number>();
  for (const each of operations) {
    if (each.verb === 'cancel') cancels.add(numberOf(each.target, known));
  }
  return operations.filter((each) => {
    if (each.verb !== 'status') return true;
    return each.byTransaction ? !changes : !cancels.has(numberOf(each.target, known));
  });
}

export const bursts: fc.Arbitrary<Burst[]> = fc.array(
  fc.record({
    waitMs: fc.constantFrom(0, 5, 3_000, 25 * HOUR_MS),
    capturing: fc.array(target, { maxLength: 4 }),
    operations: fc.array(operation, { minLength: 1, maxLength: 24, size: 'max' }),
  }),
  { minLength: 1, maxLength: 6, size: 'max' },
);

/** Merchants and invoices that only one way of working has touched. */
export type World = {
  pool: pg.Pool;
  name: string;
  tenants: Tenant[];
  nowMs: number;
  ids: number;
};

/** A world without invoices: a merchant's two environments, and another merchant. */
export async function createWorld(pool: pg.Pool, name: string): Promise<World> {
  const first = await createMerchantFixture(pool);
  const second = await createMerchantFixture(pool);
  const tenants = [first.sandbox.tenant, first.production.tenant, second.sandbox.tenant];
  return { pool, name, tenants, nowMs: Date.parse('2026-11-21T12:00:00.000Z'), ids: 0 };
}

function commandOf(
  world: World,
  create: Extract<Operation, { verb: 'create' }>,
  { number, now }: { number: number; now: Date },
): CreateCommand {
  const { key, body, transaction, lastsMs } = create;
  return {
    id: `${world.name}${number}`,
    createdAt: now,
    requestId: `create ${number}`,
    invoice: newInvoice({
      merchantTransactionId: `order ${transaction}`,
      endDateMs: now.getTime() + lastsMs,
    }),
    idempotency:
      key === null
        ? null
        : {
            key: `key ${key}`,
            ...hashesOf(String(body)),
            responseBody: Buffer.from(`answer of ${number}`),
          },
  };
}

type Ask = () => Promise<unknown>;

function asksOf(world: World, invoices: MerchantInvoices, burst: Burst): Ask[] {
  world.nowMs += burst.waitMs;
  const known = world.ids;
  return withoutRaces(burst.operations, known).map((each, index): Ask => {
    const now = new Date(world.nowMs + index);
    const asking = world.tenants[each.tenant];
    if (!asking) throw new Error('no such tenant');
    if (each.verb === 'create') {
      const command = commandOf(world, each, { number: world.ids++, now });
      return () => invoices.create(asking, command);
    }
    const invoiceId = `${world.name}${numberOf(each.target, known)}`;
    const requestId = `${each.verb} ${index}`;
    if (each.verb === 'cancel') {
      return () => invoices.cancel(asking, invoiceId, { now, actor: { type: 'api', requestId } });
    }
    const reference = each.byTransaction
      ? { merchantTransactionId: `order ${transactionOf(each.target)}` }
      : { invoiceId };
    return () => invoices.readStatus(asking, reference, { now, requestId });
  });
}

async function setCapturing({ pool, name, ids }: World, { capturing }: Burst): Promise<void> {
  const claimed = capturing.map((each) => `${name}${numberOf(each, ids)}`);
  await pool.query(
    `UPDATE invoices SET capture_attempt_id = CASE WHEN id = ANY ($1) THEN 'pay_x' END
     WHERE starts_with(id, $2) AND status = 'PENDING'`,
    [claimed, name],
  );
}

const withoutName = (world: World, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(world.name, ''));

/** Runs a burst: all at once, or one after the other. */
export async function runBurst(
  world: World,
  invoices: MerchantInvoices,
  { burst, atOnce }: { burst: Burst; atOnce: boolean },
): Promise<unknown> {
  await setCapturing(world, burst);
  const asks = asksOf(world, invoices, burst);
  const answers: unknown[] = [];
  if (atOnce) answers.push(...(await Promise.all(asks.map((ask) => ask()))));
  else for (const ask of asks) answers.push(await ask());
  return withoutName(world, answers);
}

/** Everything in the database about a world's invoices, without the world's name. */
export async function contentsOf(pool: pg.Pool, world: World): Promise<unknown> {
  const merchants = [...new Set(world.tenants.map(({ merchantId }) => merchantId))];
  const { rows } = await pool.query(
    `SELECT i.id, i.status, i.status_changed_at, i.created_at, i.end_date, i.request_id,
            array_position($1, i.merchant_id) AS merchant, i.environment, i.capture_attempt_id,
            i.merchant_transaction_id,
            (SELECT json_agg(json_build_array(e.from_status, e.to_status, e.at, e.actor_type, e.request_id))
               FROM invoice_events e WHERE e.invoice_id = i.id) AS history,
            -- A callback is due by the database's clock where the world's is ahead of it.
            (SELECT json_agg(json_build_array(convert_from(c.body, 'UTF8'), c.state, c.created_at,
                                              c.next_attempt_at <= c.created_at))
               FROM callbacks c WHERE c.invoice_id = i.id) AS callbacks
     FROM invoices i WHERE i.merchant_id = ANY ($1) ORDER BY substring(i.id FROM '\\d+$')::int`,
    [merchants],
  );
  return withoutName(world, rows);
}
