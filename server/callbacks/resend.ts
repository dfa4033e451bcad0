import type pg from 'pg';
import { planByIndexes } from '../db/index-plans.ts';
import { inTransaction } from '../db/pool.ts';
import type { PlainErrorCode } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { isNamed, WAKE_WORKERS } from './enqueue.ts';
import { isClaimed } from './queue/fair-share.ts';

export type ResendOutcome = 'queued' | 'not_found' | 'in_flight';

// A row being sent right now is left alone: it is the requested resend. If a claim comes in
// between, its result does not count, because the row is due at another time than claimed: it is
// sent once more.
//
// The count of attempts continues: a resend is another attempt, but takes no step of the schedule.
// If it fails, the row is exhausted again unless steps are left.
const RESET = `
    UPDATE callbacks c
    SET state = 'pending', next_attempt_at = $3::timestamptz, next_trigger = 'resend',
        relayed_at = NULL
    FROM free WHERE c.id = free.id
    RETURNING c.id`;

// A due callback that was never tried precedes all resends, of which there may be hundreds of
// thousands: it keeps its place.
const RESEND_ONE = `
  WITH found AS (
    SELECT c.id, ${isClaimed('$1', '$3')} AS is_claimed,
           c.state = 'pending' AND c.attempt_count = 0
             AND c.next_attempt_at <= $3::timestamptz AS is_first_due
    FROM callbacks c
    WHERE merchant_id = $1::text AND environment = $2::environment AND ${isNamed('$4::text')}
    FOR NO KEY UPDATE
  ), free AS (SELECT id FROM found WHERE NOT is_claimed AND NOT is_first_due
  ), reset AS (${RESET})
  SELECT (SELECT count(*)::int FROM found) AS found,
         (SELECT count(*)::int FROM found WHERE NOT is_claimed) AS queued, ${WAKE_WORKERS}`;

// Failed callbacks: exhausted, or waiting for the next step after a failed attempt. $4 since, $5 a
// single host.
const FAILED = `
  c.merchant_id = $1::text AND c.environment = $2::environment
  AND c.state IN ('pending', 'exhausted') AND NOT ${isClaimed('$1', '$3')}
  AND ($5::text IS NULL OR c.host = $5::text)
  AND EXISTS (
    SELECT 1 FROM callback_attempts a
    WHERE a.callback_id = c.id AND NOT a.delivered AND a.started_at >= $4::timestamptz)`;

// This few are locked for some hundredths of a second: a batch's results, of any merchants, wait no
// longer than that.
const SET_SIZE = 1_000;

// The next set of undelivered callbacks, the newest first. $6 and $7: the end of the set before, if
// there was one. No callback changes its place, so that none appears twice. `coalesce` makes any
// plan of PostgreSQL enter the index at the right place.
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

// A locked row is left out: its result is being recorded, or its next attempt announced. Nothing
// waits here, because others might wait in turn.
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
 * Makes one callback due now, whatever its state, even delivered (the merchant may have lost it). A
 * due first attempt stays unchanged, and counts as queued. The same transaction writes the audit log.
 *
 * @param name an invoice's id for its notification, or an event's
 */
export async function resendCallback(
  pool: pg.Pool,
  tenant: Tenant,
  name: string,
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<ResendOutcome> {
  const { merchantId, environment } = tenant;
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ found: number; queued: number }>({
      name: 'callbacks_resend',
      text: RESEND_ONE,
      values: [merchantId, environment, now.toISOString(), name],
    });
    const [row] = rows;
    if (!row || row.found === 0) return 'not_found';
    if (row.queued === 0) return 'in_flight';
    const target = { type: name.startsWith('evt_') ? 'event' : 'invoice', id: name };
    await recordAudit(db, { actor, now, action: 'callback.resend', ...tenant, target });
    return 'queued';
  });
}

/**
 * Makes several callbacks due now as `resendCallback` does, each by itself: one that is refused
 * stops none of the others.
 *
 * @param names of invoices or events, as `resendCallback` takes them
 * @returns what came of each, in the order of the names
 */
export async function resendEach(
  pool: pg.Pool,
  tenant: Tenant,
  names: readonly string[],
  by: { actor: AuditActor; now: Date },
): Promise<{ id: string; refusal: PlainErrorCode | null }[]> {
  const results: { id: string; refusal: PlainErrorCode | null }[] = [];
  for (const id of new Set(names)) {
    results.push({ id, refusal: whyNotQueued(await resendCallback(pool, tenant, id, by)) });
  }
  return results;
}

/** Why a callback is not sent again; null if it is. */
export function whyNotQueued(outcome: ResendOutcome): PlainErrorCode | null {
  if (outcome === 'queued') return null;
  return outcome === 'not_found' ? 'callback_not_found' : 'callback_in_flight';
}

type FailedSince = { since: Date; host?: string | null; now: Date };
/** The end of a set. */
type Place = { createdAt: string; id: string };

/** Runs one of the two statements on a set; its `end` is null after the last. */
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

// A person needs no exact number above this.
const MAX_COUNTED = 10_000;
// Most of these may have failed before the requested time.
const MAX_LOOKED_AT = 100_000;
// A person waits for the answer, whatever else the database has to do.
const COUNTING_MS = 3_000;

/**
 * The callbacks that `resendFailedSince` would send again now, by host, the largest number first.
 *
 * It counts set by set like the resend, and only far enough to tell a person the scale: an outage
 * of days leaves hundreds of thousands.
 *
 * @param asked.host a single host; all by default
 * @param limits.counted no set begins after this many are counted
 * @param limits.lookedAt no set begins after this many were read, failed since then or not
 * @param clock milliseconds from any start; after three seconds no further set begins
 * @returns `isWhole`: everything was read
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
 * Makes every undelivered callback that failed at least once since `since` due now: the exhausted,
 * and those waiting for their next step. Callbacks in flight are left out.
 *
 * It commits set by set, because an outage of days leaves hundreds of thousands. The audit log
 * names the person with the first set, so that it is known even if the process dies, and the total
 * with the last one; a single set is one entry.
 *
 * The time moves on from set to set: with the first set's time, a claim half a minute later would
 * look like a clock that is ahead, and so as if nobody was sending it.
 *
 * @param asked.host a single host; all by default
 * @param clock milliseconds from any start
 * @returns the number to be sent again
 * @throws any error of the database; then the sets before stay as they are
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
