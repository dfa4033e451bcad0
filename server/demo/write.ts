import { CALLBACK_BODY, hostOf, notificationId } from '../callbacks/enqueue.ts';
import type { Queryable } from '../db/pool.ts';
import type { SeedRows } from './rows.ts';

export type Target = {
  merchantId: string;
  staff: { id: string; email: string } | null;
};

// A table's rows come as one JSON text: PostgreSQL reads it faster than many parameters.
const from = (columns: string): string => `FROM json_to_recordset($1::json) AS r (${columns})`;

const INVOICES = `
  INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
      amount_minor, currency, description, positions, merchant_data, success_url, error_url,
      callback_url, end_date, created_at, status_changed_at, capture_attempt_id, extra_data,
      refunded_minor, request_id, created_position)
    SELECT r.id, $2::text, 'sandbox', r.merchant_transaction_id, r.status, r.amount_minor,
      r.currency, r.description, r.positions, r.merchant_data, r.success_url, r.error_url,
      r.callback_url, r.end_date, r.created_at, r.status_changed_at, r.capture_attempt_id,
      r.extra_data, r.refunded_minor, r.request_id, event_position()
    ${from(`id text, merchant_transaction_id text, status invoice_status, amount_minor bigint,
      currency currency, description text, positions text, merchant_data text, success_url text,
      error_url text, callback_url text, end_date timestamptz, created_at timestamptz,
      status_changed_at timestamptz, capture_attempt_id text, extra_data text,
      refunded_minor bigint, request_id text`)}`;

const EVENTS = `
  INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type, actor_id, request_id)
  SELECT r.invoice_id, 'PENDING', r.to_status, r.at, r.actor_type, r.actor_id, r.request_id
  ${from(`invoice_id text, to_status invoice_status, at timestamptz, actor_type actor_type,
    actor_id text, request_id text`)}`;

const PAYMENTS = `
  INSERT INTO payment_attempts (id, invoice_id, status, provider, authorisation_id, amount_minor,
    currency, card_brand, card_last4, decline_reason, created_at, updated_at)
  SELECT r.id, r.invoice_id, r.status, 'sandbox', r.authorisation_id, r.amount_minor, r.currency,
    r.card_brand, r.card_last4, r.decline_reason, r.created_at, r.updated_at
  ${from(`id text, invoice_id text, status attempt_status, authorisation_id text,
    amount_minor bigint, currency currency, card_brand text, card_last4 text, decline_reason text,
    created_at timestamptz, updated_at timestamptz`)}`;

const AUTHORISATIONS = `
  INSERT INTO sandbox_authorisations (id, idempotency_key, amount_minor, currency, outcome, state,
    decline_reason, created_at, answers_at)
  SELECT r.id, r.idempotency_key, r.amount_minor, r.currency, r.outcome, r.state,
    r.decline_reason, r.created_at, r.answers_at
  ${from(`id text, idempotency_key text, amount_minor bigint, currency currency, outcome text,
    state text, decline_reason text, created_at timestamptz, answers_at timestamptz`)}`;

const LEDGER = `
  INSERT INTO sandbox_ledger_entries (authorisation_id, kind, amount_minor, currency, at)
  SELECT r.authorisation_id, r.kind, r.amount_minor, r.currency, r.at
  ${from(`authorisation_id text, kind ledger_entry_kind, amount_minor bigint, currency currency,
    at timestamptz`)}`;

const REFUND_ROWS = from(`id text, invoice_id text, attempt_id text, authorisation_id text,
  refund_transaction_id text, amount_minor bigint, currency currency, status refund_status,
  reason text, failure_reason text, actor_type actor_type, actor_id text, request_id text,
  created_at timestamptz, updated_at timestamptz`);

const REFUNDS = `
  INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, refund_transaction_id,
    amount_minor, currency, status, reason, failure_reason, actor_type, actor_id, request_id,
    created_at, updated_at)
  SELECT r.id, $2::text, 'sandbox', r.invoice_id, r.attempt_id, r.refund_transaction_id,
    r.amount_minor, r.currency, r.status, r.reason, r.failure_reason, r.actor_type, r.actor_id,
    r.request_id, r.created_at, r.updated_at
  ${REFUND_ROWS}`;

const SANDBOX_REFUNDS = `
  INSERT INTO sandbox_refunds (id, authorisation_id, amount_minor, failure_reason, created_at,
    settles_at)
  SELECT r.id, r.authorisation_id, r.amount_minor, r.failure_reason, r.created_at, r.updated_at
  ${REFUND_ROWS}`;

const REFUND_LEDGER = `
  INSERT INTO sandbox_ledger_entries (refund_id, kind, amount_minor, currency, at)
  SELECT r.id, 'refund', r.amount_minor, r.currency, r.updated_at
  ${REFUND_ROWS} WHERE r.status = 'SUCCEEDED'`;

// The same expression composes the body as for real callbacks. They are marked as relayed, so that
// no job driver announces them.
const CALLBACKS = `
  INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
    created_at, relayed_at, state, attempt_count, extra_attempts, next_attempt_at, delivered_at,
    last_reason, last_http_status)
  SELECT ${notificationId('c.id')}, c.id, c.merchant_id, c.environment, c.callback_url, ${hostOf('c.callback_url')}, c.status,
    convert_to(${CALLBACK_BODY}, 'UTF8'), c.status_changed_at, c.status_changed_at, r.state,
    r.attempt_count, r.extra_attempts, r.next_attempt_at, r.delivered_at, r.last_reason,
    r.last_http_status
  ${from(`invoice_id text, state callback_state, attempt_count int, extra_attempts int,
    next_attempt_at timestamptz, delivered_at timestamptz, last_reason text, last_http_status int`)}
  JOIN invoices c ON c.id = r.invoice_id`;

const CALLBACK_ATTEMPTS = `
  INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, http_status, delivered,
    reason, answer, trigger)
  SELECT ${notificationId('r.invoice_id')}, r.number, r.started_at, r.duration_ms, r.http_status, r.delivered, r.reason,
    convert_to(r.answer, 'UTF8'), r.trigger
  ${from(`invoice_id text, number int, started_at timestamptz, duration_ms int, http_status int,
    delivered boolean, reason text, answer text, trigger text`)}`;

// The log is read in the order of its numbers, so the numbers of one seed follow the time.
const AUDIT = `
  INSERT INTO audit_log (at, actor_type, actor_id, actor_label, merchant_id, environment, action,
    target_type, target_id, details)
  SELECT r.at, $2::actor_type, $3::text, $4::text, $5::text, 'sandbox', r.action, 'invoice', r.target_id,
    r.details
  ${from('at timestamptz, action text, target_id text, details jsonb')}
  ORDER BY r.at`;

// A page of the list shows the events of one transaction by their numbers, so that these follow the
// time. What was resent had been given up before.
const EVENT_LOG = `
  INSERT INTO events (position, merchant_id, environment, type, at, invoice_id, refund_id)
  SELECT event_position(), $1::text, 'sandbox', log.type, log.at, log.invoice_id, log.refund_id
  FROM (
    SELECT 'invoice.' || lower(i.status::text) AS type, i.status_changed_at AS at,
      i.id AS invoice_id, NULL AS refund_id
    FROM invoices i WHERE i.merchant_id = $1 AND i.environment = 'sandbox'
      AND i.created_position = event_position() AND i.status <> 'PENDING'
    UNION ALL
    SELECT step.type, step.at, r.invoice_id, r.id
    FROM refunds r JOIN invoices i ON i.id = r.invoice_id
    CROSS JOIN LATERAL (VALUES ('refund.created', r.created_at),
      ('refund.' || lower(r.status::text), r.updated_at)) AS step (type, at)
    WHERE i.merchant_id = $1 AND i.environment = 'sandbox'
      AND i.created_position = event_position()
    UNION ALL
    SELECT 'callback.exhausted', a.started_at + a.duration_ms * interval '1 millisecond',
      c.invoice_id, NULL
    FROM callbacks c JOIN invoices i ON i.id = c.invoice_id
    JOIN callback_attempts a ON a.callback_id = c.id
      AND a.number = c.attempt_count - c.extra_attempts
    WHERE i.merchant_id = $1 AND i.environment = 'sandbox'
      AND i.created_position = event_position()
      AND (c.state = 'exhausted' OR c.extra_attempts > 0)
  ) log
  ORDER BY log.at, log.refund_id, log.type`;

type Writing = { db: Queryable; text: string; records: unknown[]; more?: unknown[] };

async function insert({ db, text, records, more = [] }: Writing): Promise<void> {
  if (records.length > 0) await db.query(text, [JSON.stringify(records), ...more]);
}

/** Writes a batch's rows, except the audit log's; call it in a transaction. */
export async function writeRows(
  db: Queryable,
  { merchantId }: Target,
  rows: SeedRows,
): Promise<void> {
  const write = (text: string, records: unknown[], more: unknown[] = []) =>
    insert({ db, text, records, more });
  await write(INVOICES, rows.invoices, [merchantId]);
  await write(EVENTS, rows.events);
  await write(PAYMENTS, rows.payments);
  await write(AUTHORISATIONS, rows.authorisations);
  await write(LEDGER, rows.ledger);
  await write(REFUNDS, rows.refunds, [merchantId]);
  await write(SANDBOX_REFUNDS, rows.refunds);
  await write(REFUND_LEDGER, rows.refunds);
  await write(CALLBACKS, rows.callbacks);
  await write(CALLBACK_ATTEMPTS, rows.callbackAttempts);
}

/** Writes what the invoices of this transaction tell their merchant's programs, in the order of time. */
export async function writeEventLog(db: Queryable, { merchantId }: Target): Promise<void> {
  // The planner would take the tables for what they were before: almost empty, or without these rows.
  await db.query('ANALYZE invoices, refunds, callbacks, callback_attempts');
  await db.query(EVENT_LOG, [merchantId]);
}

/** Writes the audit log of all batches at once: a callback is resent days after its invoice. */
export async function writeAudit(
  db: Queryable,
  { merchantId, staff }: Target,
  records: SeedRows['audit'],
): Promise<void> {
  const actor = staff ? ['staff', staff.id, staff.email] : ['operator', null, 'gateway command'];
  await insert({ db, text: AUDIT, records, more: [...actor, merchantId] });
}
