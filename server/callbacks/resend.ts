import type pg from 'pg';
import { planByIndexes } from '../db/index-plans.ts';
import { inTransaction } from '../db/pool.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { isNotificationOf, WAKE_WORKERS } from './enqueue.ts';
import { isClaimed } from './queue/fair-share.ts';

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
    FROM free WHERE c.id = free.id
    RETURNING c.id`;

// One that is due and was never tried stands before all resends, which may be hundreds of
// thousands: it keeps its place.
const RESEND_ONE = `
  WITH found AS (
    SELECT c.id, ${isClaimed('$1', '$3')} AS is_claimed,
           c.state = 'pending' AND c.attempt_count = 0
             AND c.next_attempt_at <= $3::timestamptz AS is_first_due
    FROM callbacks c
    WHERE merchant_id = $1::text AND environment = $2::environment AND ${isNotificationOf('$4::text')}
    FOR NO KEY UPDATE
  ), free AS (SELECT id FROM found WHERE NOT is_claimed AND NOT is_first_due
  ), reset AS (${RESET})
  SELECT (SELECT count(*)::int FROM found) AS found,
         (SELECT count(*)::int FROM found WHERE NOT is_claimed) AS queued, ${WAKE_WORKERS}`;

// Failed: exhausted, or waiting for its next step after an attempt that did not count.
// $4 since, $5 one host only.
const FAILED = `
  c.merchant_id = $1::text AND c.environment = $2::environment
  AND c.state IN ('pending', 'exhausted') AND NOT ${isClaimed('$1', '$3')}
  AND ($5::text IS NULL OR c.host = $5::text)
  AND EXISTS (
    SELECT 1 FROM callback_attempts a
    WHERE a.callback_id = c.id AND NOT a.delivered AND a.started_at >= $4::timestamptz)`;

// So few are locked for some hundredths of a second: the results of a batch, which are of any
// merchants, wait for no more than that.
const SET_SIZE = 1_000;

// The next set of what is not delivered, the newest first. $6 and $7: the place at which the set
// before ended, if there was one. No callback's place changes, so that none is met twice.
// `coalesce`, so that the index is entered at the right place whatever plan PostgreSQL keeps.
const LOOKED_AT = `
  looked_at AS MATERIALIZED (
    SELECT place.* FROM unnest('{pending,exhausted}'::callback_state[]) AS wanted (state)
    CROSS JOIN LATERAL (
      SELECT c.created_at, c.id FROM callbacks c
      WHERE c.merchant_id = $1::text AND c.environment = $2::environment
        AND c.state = wanted.state
        AND c.created_at <= coalesce($6::timestamptz, 'infinity')
        AND ($6::timestamptz IS NULL OR c.created_at < $6::timestamptz OR c.id < $7::text)
      ORDER BY c.created_at DESC, c.id DESC LIMIT ${SET_SIZE}
    ) place
    ORDER BY place.created_at DESC, place.id DESC LIMIT ${SET_SIZE}
  )`;
const FAILED_OF_SET = `
  c.id = ANY (ARRAY(SELECT id FROM looked_at))
  -- Not among the conditions, where PostgreSQL might walk all that the merchant has.
  AND (SELECT ${FAILED})`;
const END = `
  (SELECT jsonb_build_object('createdAt', created_at, 'id', id) FROM looked_at
   ORDER BY created_at DESC, id DESC OFFSET ${SET_SIZE - 1})`;

// A locked row is left out, for nothing is waited for here, by which others might wait in turn:
// its result is being recorded, or its next attempt is being announced.
const RESEND_SET = `
  WITH ${LOOKED_AT}, free AS (
    SELECT c.id FROM callbacks c WHERE ${FAILED_OF_SET}
    FOR NO KEY UPDATE SKIP LOCKED
  ), reset AS (${RESET})
  SELECT (SELECT count(*)::int FROM reset) AS reset, ${WAKE_WORKERS},
         ${END} AS end`;

const COUNT_SET = `
  WITH ${LOOKED_AT}, counted AS (
    SELECT c.host, count(*) AS count FROM callbacks c WHERE ${FAILED_OF_SET} GROUP BY c.host
  )
  SELECT (SELECT jsonb_object_agg(host, count) FROM counted) AS hosts, ${END} AS end`;

/**
 * Makes one notification due now, whatever became of it before, a delivered one
 * included (the merchant may have lost it). One whose first attempt is due stays as it is, and
 * counts as queued. Writes the audit log in the same transaction.
 */
export async function resendCallback(
  pool: pg.Pool,
  tenant: Tenant,
  invoiceId: string,
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<ResendOutcome> {
  const { merchantId, environment } = tenant;
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ found: number; queued: number }>({
      name: 'callbacks_resend',
      text: RESEND_ONE,
      values: [merchantId, environment, now.toISOString(), invoiceId],
    });
    const [row] = rows;
    if (!row || row.found === 0) return 'not_found';
    if (row.queued === 0) return 'in_flight';
    const target = { type: 'invoice', id: invoiceId };
    await recordAudit(db, { actor, now, action: 'callback.resend', ...tenant, target });
    return 'queued';
  });
}

type FailedSince = { since: Date; host?: string | null; now: Date };
/** Where a set ended. */
type Place = { createdAt: string; id: string };

/** Runs one of the two statements on a set; its `end` is null when that was the last. */
async function onSet<R extends { end: Place | null }>(
  db: pg.PoolClient,
  statement: { name: string; text: string },
  { merchantId, environment }: Tenant,
  { since, host = null, now }: FailedSince,
  after: Place | null,
): Promise<R | undefined> {
  await planByIndexes(db);
  const { rows } = await db.query<R>({
    ...statement,
    values: [
      merchantId,
      environment,
      now.toISOString(),
      since.toISOString(),
      host,
      after?.createdAt ?? null,
      after?.id ?? null,
    ],
  });
  return rows[0];
}

// Beyond so many a person needs no exact number.
const MAX_COUNTED = 10_000;
// Of those, most may have failed before the time that is asked for.
const MAX_LOOKED_AT = 100_000;
// A person waits for the answer, whatever the database has to do besides.
const COUNTING_MS = 3_000;

/**
 * What `resendFailedSince` would send again now, by host, the most first.
 *
 * Set by set like the resend, and no further than it takes to tell a person how much it is: an
 * outage of days leaves hundreds of thousands.
 *
 * @param asked.host those of one host only; all when left out
 * @param limits.counted no set is begun when so many are counted
 * @param limits.lookedAt nor when so many, failed since then or not, were looked at
 * @param clock milliseconds from any beginning; after three seconds no further set is begun
 * @returns `isWhole`: nothing is left that was not looked at
 */
export async function countFailedSince(
  pool: pg.Pool,
  tenant: Tenant,
  asked: FailedSince,
  {
    limits = { counted: MAX_COUNTED, lookedAt: MAX_LOOKED_AT },
    clock = () => performance.now(),
  }: {
    limits?: { counted: number; lookedAt: number };
    clock?: () => number;
  } = {},
): Promise<{ hosts: { host: string; count: number }[]; isWhole: boolean }> {
  type Counted = { hosts: Record<string, number> | null; end: Place | null };
  const statement = { name: 'callbacks_count_failed', text: COUNT_SET };
  const endMs = clock() + COUNTING_MS;
  const counts = new Map<string, number>();
  let counted = 0;
  let lookedAt = 0;
  let after: Place | null = null;
  do {
    const set: Counted | undefined = await inTransaction(pool, (db) =>
      onSet<Counted>(db, statement, tenant, asked, after),
    );
    for (const [host, count] of Object.entries(set?.hosts ?? {})) {
      counts.set(host, (counts.get(host) ?? 0) + count);
      counted += count;
    }
    lookedAt += SET_SIZE;
    after = set?.end ?? null;
  } while (
    after !== null &&
    counted < limits.counted &&
    lookedAt < limits.lookedAt &&
    clock() < endMs
  );
  const hosts = [...counts].map(([host, count]) => ({ host, count }));
  hosts.sort((a, b) => b.count - a.count || (a.host < b.host ? -1 : 1));
  return { hosts, isWhole: after === null };
}

/**
 * Makes due now what failed at least once since `since` and is not delivered: the
 * exhausted, and those that wait for their next step. Those in flight are left out.
 *
 * Set by set, each committed, since an outage of days leaves hundreds of thousands. The audit log
 * tells with the first set who asked for it, so that it is known wherever the process dies, and
 * with the last one how many there were; that is one entry where one set is all.
 *
 * The time goes on from set to set: by that of the first one, what is claimed half a minute later
 * would look as if by a clock that is ahead, and so as if nobody was sending it.
 *
 * @param asked.host those of one host only; all when left out
 * @param clock milliseconds from any beginning
 * @returns how many will be sent again
 * @throws whatever the database does; then the sets before stay as they are
 */
export async function resendFailedSince(
  pool: pg.Pool,
  tenant: Tenant,
  asked: FailedSince & { actor: AuditActor },
  { clock = () => performance.now() }: { clock?: () => number } = {},
): Promise<{ queued: number }> {
  const { since, host = null, actor, now: begun } = asked;
  let begunMs: number | undefined;
  const entry = { actor, now: begun, action: 'callback.resend_failed', ...tenant };
  const target = { type: 'merchant', id: tenant.merchantId };
  const details = { since: since.toISOString(), ...(host !== null && { host }) };
  type Resent = { reset: number; end: Place | null };
  const statement = { name: 'callbacks_resend_failed', text: RESEND_SET };
  let queued = 0;
  let after: Place | null = null;
  do {
    after = await inTransaction(pool, async (db) => {
      const nowMs = clock();
      begunMs ??= nowMs;
      const now = new Date(begun.getTime() + nowMs - begunMs);
      const set = await onSet<Resent>(db, statement, tenant, { since, host, now }, after);
      queued += set?.reset ?? 0;
      const end = set?.end ?? null;
      if (end === null) {
        await recordAudit(db, { ...entry, target, details: { ...details, count: queued } });
      } else if (after === null) await recordAudit(db, { ...entry, target, details });
      return end;
    });
  } while (after !== null);
  return { queued };
}
