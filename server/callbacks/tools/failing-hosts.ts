import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';

/** A merchant's server that does not accept its callbacks. */
export type FailingHost = {
  host: string;
  /** The number given up; only staff send them again. */
  exhausted: number;
  /** The number that failed at least once and wait for the next attempt. */
  retrying: number;
  /** The reason for most of the failures, in plain words. */
  reason: string;
};

// The newest of each state are enough to see the failing hosts, whatever their total.
const LOOKED_AT = 2_000;
const SINCE_MS = 7 * 24 * 60 * 60 * 1000;
const SHOWN = 5;

const newest = (state: string) => `
  (SELECT c.host, c.state, c.attempt_count, c.last_reason FROM callbacks c
   WHERE c.merchant_id = $1::text AND c.environment = $2::environment
     AND c.state = '${state}' AND c.created_at >= $3::timestamptz
   ORDER BY c.created_at DESC LIMIT ${LOOKED_AT})`;

const FAILING = `
  SELECT host, count(*) FILTER (WHERE state = 'exhausted')::int AS exhausted,
         count(*) FILTER (WHERE state = 'pending')::int AS retrying,
         mode() WITHIN GROUP (ORDER BY last_reason) AS reason
  FROM (${newest('exhausted')} UNION ALL ${newest('pending')}) AS undelivered
  WHERE attempt_count > 0 AND last_reason IS NOT NULL
  GROUP BY host ORDER BY count(*) DESC, host LIMIT ${SHOWN}`;

/**
 * The hosts with the most failed and undelivered callbacks: status changes of the last seven days,
 * the newest 2,000 of each state. At most five.
 */
export async function failingHosts(
  db: Queryable,
  tenant: Tenant,
  { now }: { now: Date },
): Promise<FailingHost[]> {
  const { rows } = await db.query<FailingHost>({
    name: 'callbacks_failing_hosts',
    text: FAILING,
    values: [
      tenant.merchantId,
      tenant.environment,
      new Date(now.getTime() - SINCE_MS).toISOString(),
    ],
  });
  return rows;
}
