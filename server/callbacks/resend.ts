import type pg from 'pg';
import { inTransaction, type Queryable, queryAtLength } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { isClaimed } from './claim.ts';

/** Who asked for it: staff, the operator, a sandbox token; stands in the audit log. */
export type ResendActor = {
  type: 'staff' | 'operator' | 'test';
  id: string | null;
  /** What a person reads: an e-mail address, or "gateway command". */
  label: string;
  /** The network address it came from. */
  address?: string | null;
};

export type ResendOutcome = 'queued' | 'not_found' | 'in_flight';

// A row that is being sent right now is left alone: that is what was asked for. Where its claim
// comes in between, the result does not count, for the row is due at another time than it was
// claimed for: it is sent once more.
//
// The count of attempts goes on: a resend is one attempt more. If it fails, the
// row is exhausted again unless steps of the schedule are left.
const RESET = `
    UPDATE callbacks c
    SET state = 'pending', next_attempt_at = $3::timestamptz, next_trigger = 'resend',
        relayed_at = NULL
    FROM free WHERE c.invoice_id = free.invoice_id
    RETURNING c.invoice_id`;

const RESEND_ONE = `
  WITH found AS (
    SELECT c.invoice_id, ${isClaimed('$1', '$3')} AS is_claimed FROM callbacks c
    WHERE merchant_id = $1::text AND environment = $2::environment AND invoice_id = $4::text
    FOR NO KEY UPDATE
  ), free AS (SELECT invoice_id FROM found WHERE NOT is_claimed
  ), reset AS (${RESET}
  ), audit AS (
    INSERT INTO audit_log
      (at, actor_type, actor_id, actor_label, merchant_id, environment, action, target_type,
       target_id, address)
    SELECT $3::timestamptz, $5::actor_type, $6::text, $7::text, $1::text, $2::environment,
           'callback.resend', 'invoice', invoice_id, $8::text
    FROM reset
  )
  SELECT (SELECT count(*)::int FROM found) AS found, (SELECT count(*)::int FROM reset) AS reset,
         pg_notify('callback_due', '')`;

// Failed: exhausted, or waiting for its next step after an attempt that did not count.
// $4 since, $5 one host only.
const FAILED = `
  c.merchant_id = $1::text AND c.environment = $2::environment
  AND c.state IN ('pending', 'exhausted') AND NOT ${isClaimed('$1', '$3')}
  AND ($5::text IS NULL OR c.host = $5::text)
  AND EXISTS (
    SELECT 1 FROM callback_attempts a
    WHERE a.invoice_id = c.invoice_id AND NOT a.delivered AND a.started_at >= $4::timestamptz)`;

const RESEND_FAILED = `
  WITH free AS (
    SELECT c.invoice_id FROM callbacks c WHERE ${FAILED} FOR NO KEY UPDATE
  ), reset AS (${RESET}
  ), audit AS (
    INSERT INTO audit_log
      (at, actor_type, actor_id, actor_label, merchant_id, environment, action, target_type,
       details, address)
    SELECT $3::timestamptz, $6::actor_type, $7::text, $8::text, $1::text, $2::environment,
           'callback.resend_failed', 'merchant',
           jsonb_build_object('since', $9::text, 'count', (SELECT count(*) FROM reset))
             || CASE WHEN $5::text IS NULL THEN '{}' ELSE jsonb_build_object('host', $5::text) END,
           $10::text
  )
  SELECT (SELECT count(*)::int FROM reset) AS reset, pg_notify('callback_due', '')`;

const FAILED_BY_HOST = `
  SELECT c.host, count(*)::int AS count FROM callbacks c WHERE ${FAILED}
  GROUP BY c.host ORDER BY count(*) DESC, c.host`;

/**
 * Makes one notification due now, whatever became of it before, a delivered one
 * included (the merchant may have lost it). Writes the audit log in the same
 * statement.
 */
export async function resendCallback(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
  { actor, now }: { actor: ResendActor; now: Date },
): Promise<ResendOutcome> {
  const { rows } = await db.query<{ found: number; reset: number }>({
    name: 'callbacks_resend',
    text: RESEND_ONE,
    values: [
      tenant.merchantId,
      tenant.environment,
      now.toISOString(),
      invoiceId,
      actor.type,
      actor.id,
      actor.label,
      actor.address ?? null,
    ],
  });
  const [row] = rows;
  if (!row || row.found === 0) return 'not_found';
  return row.reset === 1 ? 'queued' : 'in_flight';
}

/** What `resendFailedSince` would send again now, by host, the most first. */
export async function countFailedSince(
  db: Queryable,
  tenant: Tenant,
  { since, host, now }: { since: Date; host: string | null; now: Date },
): Promise<{ host: string; count: number }[]> {
  const { rows } = await db.query<{ host: string; count: number }>({
    name: 'callbacks_failed_by_host',
    text: FAILED_BY_HOST,
    values: [tenant.merchantId, tenant.environment, now.toISOString(), since.toISOString(), host],
  });
  return rows;
}

/**
 * Makes due now what failed at least once since `since` and is not delivered: the
 * exhausted, and those that wait for their next step. Those in flight are left out.
 *
 * @param host those of one host only; all when left out
 * @returns how many will be sent again
 */
export async function resendFailedSince(
  pool: pg.Pool,
  tenant: Tenant,
  {
    since,
    host = null,
    actor,
    now,
  }: { since: Date; host?: string | null; actor: ResendActor; now: Date },
): Promise<{ queued: number }> {
  const query = {
    name: 'callbacks_resend_failed',
    text: RESEND_FAILED,
    values: [
      tenant.merchantId,
      tenant.environment,
      now.toISOString(),
      since.toISOString(),
      host,
      actor.type,
      actor.id,
      actor.label,
      since.toISOString(),
      actor.address ?? null,
    ],
  };
  // An outage of days leaves hundreds of thousands, which take longer than a statement may.
  const { rows } = await inTransaction(pool, (db) => queryAtLength<{ reset: number }>(db, query));
  return { queued: rows[0]?.reset ?? 0 };
}
