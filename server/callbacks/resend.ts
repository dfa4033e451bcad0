import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { isClaimed } from './claim.ts';
import { planByIndexes } from './index-plans.ts';

/** Who asked for it: staff, the operator, a sandbox token; stands in the audit log. */
type ResendActor = {
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
// The count of attempts goes on: a resend is one attempt more, but takes no step of the schedule. If
// it fails, the row is exhausted again unless steps are left.
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

// So few are locked for some hundredths of a second: the results of a batch, which are of any
// merchants, wait for no more than that.
const SET_SIZE = 1_000;

// Looks at the next set of what is not delivered, the newest first. $6 and $7: the place at which the
// set before ended, if there was one. No callback's place changes, so that none is sent again twice.
// `coalesce`, so that the index is entered at the right place whatever plan PostgreSQL keeps.
//
// A locked row is left out, for nothing is waited for here, by which others might wait in turn:
// its result is being recorded, or its next attempt is being announced.
const RESEND_SET = `
  WITH looked_at AS MATERIALIZED (
    SELECT place.* FROM unnest('{pending,exhausted}'::callback_state[]) AS wanted (state)
    CROSS JOIN LATERAL (
      SELECT c.created_at, c.invoice_id FROM callbacks c
      WHERE c.merchant_id = $1::text AND c.environment = $2::environment
        AND c.state = wanted.state
        AND c.created_at <= coalesce($6::timestamptz, 'infinity')
        AND ($6::timestamptz IS NULL OR c.created_at < $6::timestamptz OR c.invoice_id < $7::text)
      ORDER BY c.created_at DESC, c.invoice_id DESC LIMIT ${SET_SIZE}
    ) place
    ORDER BY place.created_at DESC, place.invoice_id DESC LIMIT ${SET_SIZE}
  ), free AS (
    SELECT c.invoice_id FROM callbacks c
    WHERE c.invoice_id = ANY (ARRAY(SELECT invoice_id FROM looked_at))
      -- Not among the conditions, where PostgreSQL might walk all that the merchant has.
      AND (SELECT ${FAILED})
    FOR NO KEY UPDATE SKIP LOCKED
  ), reset AS (${RESET})
  SELECT (SELECT count(*)::int FROM reset) AS reset, pg_notify('callback_due', ''),
         (SELECT jsonb_build_object('createdAt', created_at, 'invoiceId', invoice_id) FROM looked_at
          ORDER BY created_at DESC, invoice_id DESC OFFSET ${SET_SIZE - 1}) AS end`;

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

type FailedSince = { since: Date; host?: string | null; actor: AuditActor; now: Date };
/** Where a set ended. */
type Place = { createdAt: string; invoiceId: string };

/** Sends one set again; `end` is null when it was the last. */
async function resendSet(
  db: pg.PoolClient,
  { merchantId, environment }: Tenant,
  { since, host = null, now }: FailedSince,
  after: Place | null,
): Promise<{ reset: number; end: Place | null }> {
  await planByIndexes(db);
  const { rows } = await db.query<{ reset: number; end: Place | null }>({
    name: 'callbacks_resend_failed',
    text: RESEND_SET,
    values: [
      merchantId,
      environment,
      now.toISOString(),
      since.toISOString(),
      host,
      after?.createdAt ?? null,
      after?.invoiceId ?? null,
    ],
  });
  return rows[0] ?? { reset: 0, end: null };
}

/**
 * Makes due now what failed at least once since `since` and is not delivered: the
 * exhausted, and those that wait for their next step. Those in flight are left out.
 *
 * Set by set, each committed, since an outage of days leaves hundreds of thousands. The audit log
 * tells with the first set who asked for it, so that it is known wherever the process dies, and
 * with the last one how many there were; that is one entry where one set is all.
 *
 * @param asked.host those of one host only; all when left out
 * @returns how many will be sent again
 * @throws whatever the database does; then the sets before stay as they are
 */
export async function resendFailedSince(
  pool: pg.Pool,
  tenant: Tenant,
  asked: FailedSince,
): Promise<{ queued: number }> {
  const { since, host = null, actor, now } = asked;
  const entry = { actor, now, action: 'callback.resend_failed', ...tenant };
  const target = { type: 'merchant', id: tenant.merchantId };
  const details = { since: since.toISOString(), ...(host !== null && { host }) };
  let queued = 0;
  let after: Place | null = null;
  do {
    after = await inTransaction(pool, async (db) => {
      const { reset, end } = await resendSet(db, tenant, asked, after);
      queued += reset;
      if (end === null) {
        await recordAudit(db, { ...entry, target, details: { ...details, count: queued } });
      } else if (after === null) await recordAudit(db, { ...entry, target, details });
      return end;
    });
  } while (after !== null);
  return { queued };
}
