import { enqueueCallbacks, WAKE_WORKERS } from '../callbacks/enqueue.ts';
import type { Queryable } from '../db/pool.ts';
import { BRIEF_LOCKS } from '../db/rows-fault.ts';
import { writeEvents } from '../events/write.ts';
import type { Tenant } from '../merchants/types.ts';
import { enqueueReceiptEmails } from '../receipts/enqueue.ts';
import { epochMs, RETURNED_COLUMNS } from './columns.ts';
import { GUARDED_END_DATE, type InvoiceRow } from './rows.ts';
import { RULES } from './state.ts';
import type { Actor, InvoiceStatus } from './types.ts';

/**
 * The event to apply. `pay` needs the claim to capture that `attemptId` holds; the others wait
 * while any such claim is held. `expire` by the clock needs the end date to have passed;
 * `beforeEnd` is the sandbox's test endpoint.
 */
export type TransitionEvent =
  | { trigger: 'pay'; attemptId: string; extraData: string }
  | { trigger: 'cancel' }
  | { trigger: 'expire'; beforeEnd?: boolean };

type Context = { actor: Actor; now: Date };

// $1 to $6 are the same in every statement: now, actor type, actor id, request id, extra data, and
// the attempt that must hold the claim to capture (null, for all but `pay`: nobody may). A paid
// invoice was claimed before its end date, so that `pay` needs no time guard.
const TIME_GUARDS = {
  pay: () => 'true',
  cancel: (now: string) => `${GUARDED_END_DATE} >= ${now}`,
  expire: (now: string) => `${GUARDED_END_DATE} < ${now}`,
  'expire-before-end': () => 'true',
};
type Guard = keyof typeof TIME_GUARDS;

type FinalStatus = Exclude<InvoiceStatus, 'PENDING'>;

const EVENT_OF = {
  PAID: 'invoice.paid',
  EXPIRED: 'invoice.expired',
  CANCELED: 'invoice.canceled',
} as const;

/** CTEs for the event of each row of `changed`. */
const eventsOf = (to: FinalStatus): string => writeEvents(EVENT_OF[to], 'changed', 'invoice');

// The creator's clock may be a little ahead: no change precedes the creation.
const changedAt = (now: string) => `greatest(i.created_at, ${now})`;

// The id of a buyer's request leads to no line of the log, so the callback names the create's.
const CALLBACK_CAUSE = `CASE WHEN $2::actor_type <> 'buyer' THEN $4::text END`;

const RECEIPT = `, receipt AS (${enqueueReceiptEmails('paid', 'changed', '$1::timestamptz')})`;

/**
 * One statement: the conditional UPDATE, its history, its callback and the buyer's receipt. A row that the guard refuses
 * is not changed, and nothing is written for it.
 *
 * @param pick the FROM and WHERE that choose the rows, beside status and guard
 * @param answer a query of `changed`, the rows after the change
 */
function statementOf(
  guard: Guard,
  pick: { with?: string; from?: string; where: string },
  answer: string,
): string {
  const { from, to } = RULES[guard === 'expire-before-end' ? 'expire' : guard];
  return `
    WITH ${pick.with ? `${pick.with},` : ''} changed AS (
      UPDATE invoices i
      SET status = '${to}', status_changed_at = ${changedAt('$1::timestamptz')}, extra_data = $5::text
      ${pick.from ?? ''}
      WHERE ${pick.where} AND i.status = '${from}' AND ${TIME_GUARDS[guard]('$1::timestamptz')}
        AND i.capture_attempt_id IS NOT DISTINCT FROM $6::text
      RETURNING i.*
    ), history AS (
      INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type, actor_id, request_id)
      SELECT id, '${from}', status, status_changed_at, $2::actor_type, $3::text, $4::text FROM changed
    ), ${eventsOf(to)}, callback AS (${enqueueCallbacks('changed', '$1::timestamptz', CALLBACK_CAUSE)})
    ${to === 'PAID' ? RECEIPT : ''}
    ${answer}`;
}

const THE_INVOICE = `SELECT ${RETURNED_COLUMNS}, ${WAKE_WORKERS} FROM changed i`;

const BY_ID = 'i.id = $7::text';
const BY_TENANT = `${BY_ID} AND i.merchant_id = $8::text AND i.environment = $9::environment`;
const GUARD_NAMES = Object.keys(TIME_GUARDS) as Guard[];

const ONE = Object.fromEntries(
  GUARD_NAMES.map((guard) => [guard, statementOf(guard, { where: BY_ID }, THE_INVOICE)]),
) as Record<Guard, string>;

const ONE_OF_TENANT = Object.fromEntries(
  GUARD_NAMES.map((guard) => [guard, statementOf(guard, { where: BY_TENANT }, THE_INVOICE)]),
) as Record<Guard, string>;

// Rows locked by another sweep are skipped, because it expires them. Only their number is returned:
// the content of two hundred invoices takes long to send.
const DUE = statementOf(
  'expire',
  {
    with: `due AS (
    SELECT id FROM invoices
    WHERE status = 'PENDING' AND end_date < $1::timestamptz AND capture_attempt_id IS NULL
    ORDER BY end_date LIMIT $7::int FOR NO KEY UPDATE SKIP LOCKED)`,
    from: 'FROM due',
    where: 'i.id = due.id',
  },
  `SELECT count(*)::int AS changed, ${WAKE_WORKERS} FROM changed HAVING count(*) > 0`,
);

// Each requested row brings its own time and actor. A separate query that PostgreSQL cannot reorder
// first locks them in the requested order: two statements on the same invoices never deadlock,
// whatever their plans. A comparison by ANY cannot be hashed: locked rows are changed by their key,
// and no table is read whole.
function manyOf(trigger: 'cancel' | 'expire'): string {
  const { from, to } = RULES[trigger];
  return `
    WITH locked AS MATERIALIZED (
      SELECT a.* FROM unnest($1::text[], $2::text[], $3::environment[], $4::timestamptz[],
                             $5::actor_type[], $6::text[], $7::text[]) WITH ORDINALITY
        AS a (id, merchant_id, environment, at, actor_type, actor_id, cause, position)
      CROSS JOIN LATERAL (
        SELECT FROM invoices i WHERE i.id = a.id AND i.merchant_id = a.merchant_id
          AND i.environment = a.environment AND i.status = '${from}' AND ${BRIEF_LOCKS}
        FOR NO KEY UPDATE) i
    ), changed AS (
      UPDATE invoices i
      SET status = '${to}', status_changed_at = ${changedAt('a.at')}, extra_data = NULL
      FROM locked a
      WHERE i.id = ANY (ARRAY[a.id]) AND i.status = '${from}'
        AND ${TIME_GUARDS[trigger]('a.at')} AND i.capture_attempt_id IS NULL
      RETURNING i.*, a.at, a.actor_type, a.actor_id, a.cause, a.position
    ), history AS (
      INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type, actor_id, request_id)
      SELECT id, '${from}', status, status_changed_at, actor_type, actor_id, cause FROM changed
    ), ${eventsOf(to)}, callback AS (${enqueueCallbacks('changed', 'c.at', 'c.cause')}), woken AS (
      SELECT ${WAKE_WORKERS} WHERE EXISTS (SELECT FROM changed))
    SELECT i.position::int, i.id, i.status, ${epochMs('i.end_date')} AS end_date_ms
    FROM changed i LEFT JOIN woken ON true`;
}

const MANY = { cancel: manyOf('cancel'), expire: manyOf('expire') };

function valuesOf(event: TransitionEvent, { actor, now }: Context): unknown[] {
  const pay = event.trigger === 'pay' ? event : null;
  return [
    now.toISOString(),
    actor.type,
    actor.id ?? null,
    actor.requestId ?? null,
    pay?.extraData ?? null,
    pay?.attemptId ?? null,
  ];
}

/**
 * The only writer of `invoices.status`, for one invoice: status, history and callback in one
 * statement (one round trip, atomic by itself).
 *
 * @returns the changed invoice, or null when the guard refused: somebody else was quicker, the time
 *   is not right, or a capture is in flight. Read again to learn which.
 */
export async function transition(
  db: Queryable,
  target: { invoiceId: string; tenant: Tenant | null },
  event: TransitionEvent,
  context: Context,
): Promise<InvoiceRow | null> {
  const guard: Guard =
    event.trigger === 'expire' && event.beforeEnd ? 'expire-before-end' : event.trigger;
  const values = [...valuesOf(event, context), target.invoiceId];
  const { tenant } = target;
  if (tenant) values.push(tenant.merchantId, tenant.environment);
  const { rows } = await db.query<InvoiceRow>({
    name: `${tenant ? 'tenant' : 'any'}_${guard}`,
    text: (tenant ? ONE_OF_TENANT : ONE)[guard],
    values,
  });
  return rows[0] ?? null;
}

/** One of several independent transitions of any tenants. */
export type TransitionRow = { invoiceId: string; tenant: Tenant; actor: Actor; now: Date };

/** The fields of a changed invoice's status view. */
export type ChangedRow = Pick<InvoiceRow, 'id' | 'status' | 'end_date_ms'>;

/**
 * `transition` for several invoices of several tenants in one statement, each with its own actor
 * and time. Each invoice may appear only once.
 *
 * @returns for each row, in their order, the changed invoice, or null when its guard refused
 */
export async function transitionMany(
  db: Queryable,
  trigger: 'cancel' | 'expire',
  rows: readonly TransitionRow[],
): Promise<(ChangedRow | null)[]> {
  const sorted = [...rows].sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const { rows: changed } = await db.query<ChangedRow & { position: number }>({
    name: `tenants_${trigger}_many`,
    text: MANY[trigger],
    values: [
      sorted.map(({ invoiceId }) => invoiceId),
      sorted.map(({ tenant }) => tenant.merchantId),
      sorted.map(({ tenant }) => tenant.environment),
      sorted.map(({ now }) => now.toISOString()),
      sorted.map(({ actor }) => actor.type),
      sorted.map(({ actor }) => actor.id ?? null),
      sorted.map(({ actor }) => actor.requestId ?? null),
    ],
  });
  const byRow = new Map(changed.map((row) => [sorted[row.position - 1], row]));
  return rows.map((row) => byRow.get(row) ?? null);
}

/**
 * Expires up to `limit` invoices past their end date in one statement: ten times quicker than one
 * by one, and short enough not to delay others. It waits for no lock: locked rows are left for a
 * later sweep.
 *
 * @returns the number changed
 */
export async function transitionDue(
  db: Queryable,
  context: Context & { limit: number },
): Promise<number> {
  const { rows } = await db.query<{ changed: number }>({
    name: 'expire_due',
    text: DUE,
    values: [...valuesOf({ trigger: 'expire' }, context), context.limit],
  });
  return rows[0]?.changed ?? 0;
}
