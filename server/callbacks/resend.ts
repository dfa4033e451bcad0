import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';

/** Who asked for it: a member of staff or the operator; stands in the audit log. */
export type ResendActor = {
  type: 'staff' | 'operator';
  id: string | null;
  /** What a person reads: an e-mail address, or "gateway command". */
  label: string;
};

export type ResendOutcome = 'queued' | 'not_found' | 'in_flight';

// A row that is being sent right now is left alone: its result would be taken for
// the resend's.
const NOT_IN_FLIGHT = '(c.claimed_until IS NULL OR c.claimed_until <= $3::timestamptz)';

// The count of attempts goes on: a resend is one attempt more. If it fails, the
// row is exhausted again unless steps of the schedule are left.
const RESET = `
  UPDATE callbacks c
  SET state = 'pending', next_attempt_at = $3::timestamptz, next_trigger = 'resend',
      claimed_until = NULL, claim_id = NULL, relayed_at = NULL`;

const RESEND_ONE = `
  WITH found AS (
    SELECT invoice_id FROM callbacks
    WHERE merchant_id = $1::text AND environment = $2::environment AND invoice_id = $4::text
  ), reset AS (
    ${RESET} FROM found WHERE c.invoice_id = found.invoice_id AND ${NOT_IN_FLIGHT}
    RETURNING c.invoice_id
  ), audit AS (
    INSERT INTO audit_log
      (at, actor_type, actor_id, actor_label, merchant_id, environment, action, target_type, target_id)
    SELECT $3::timestamptz, $5::actor_type, $6::text, $7::text, $1::text, $2::environment,
           'callback.resend', 'invoice', invoice_id
    FROM reset
  )
  SELECT (SELECT count(*)::int FROM found) AS found, (SELECT count(*)::int FROM reset) AS reset,
         pg_notify('callback_due', '')`;

// Failed: exhausted, or waiting for its next step after an attempt that did not count.
const RESEND_FAILED = `
  WITH reset AS (
    ${RESET}
    WHERE c.merchant_id = $1::text AND c.environment = $2::environment
      AND c.state IN ('pending', 'exhausted') AND ${NOT_IN_FLIGHT}
      AND EXISTS (
        SELECT 1 FROM callback_attempts a
        WHERE a.invoice_id = c.invoice_id AND NOT a.delivered AND a.started_at >= $4::timestamptz)
    RETURNING c.invoice_id
  ), audit AS (
    INSERT INTO audit_log
      (at, actor_type, actor_id, actor_label, merchant_id, environment, action, target_type, details)
    SELECT $3::timestamptz, $5::actor_type, $6::text, $7::text, $1::text, $2::environment,
           'callback.resend_failed', 'merchant',
           jsonb_build_object('since', $8::text, 'count', (SELECT count(*) FROM reset))
  )
  SELECT (SELECT count(*)::int FROM reset) AS reset, pg_notify('callback_due', '')`;

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
    ],
  });
  const [row] = rows;
  if (!row || row.found === 0) return 'not_found';
  return row.reset === 1 ? 'queued' : 'in_flight';
}

/**
 * Makes due now what failed at least once since `since` and is not delivered: the
 * exhausted, and those that wait for their next step. Those in flight are left out.
 *
 * @returns how many will be sent again
 */
export async function resendFailedSince(
  db: Queryable,
  tenant: Tenant,
  { since, actor, now }: { since: Date; actor: ResendActor; now: Date },
): Promise<{ queued: number }> {
  const { rows } = await db.query<{ reset: number }>({
    name: 'callbacks_resend_failed',
    text: RESEND_FAILED,
    values: [
      tenant.merchantId,
      tenant.environment,
      now.toISOString(),
      since.toISOString(),
      actor.type,
      actor.id,
      actor.label,
      since.toISOString(),
    ],
  });
  return { queued: rows[0]?.reset ?? 0 };
}
