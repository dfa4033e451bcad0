import { measureClock } from '../db/clock-offset.ts';
import type { Queryable } from '../db/pool.ts';
import { withTimeout } from '../lib/timeout.ts';
import { log } from '../observability/log.ts';

const LIMIT_MS = 2_000;

/**
 * Prepares what the first requests need: cached tokens, and a check of the clock, since reads with
 * a wrong clock would end invoices for good. A silent or refusing database is not waited for: a
 * listening web can tell callers and the load balancer about it. Later results count when they
 * come.
 *
 * @param tokensReady from the token listener, which logs its own faults
 */
export async function askDatabaseFirst(db: Queryable, tokensReady: Promise<void>): Promise<void> {
  await Promise.all([
    withTimeout(LIMIT_MS, tokensReady).catch(() => undefined),
    withTimeout(LIMIT_MS, measureClock(db)).catch((err: unknown) =>
      log().warn({ err }, 'the clock could not be held against the database’s yet'),
    ),
  ]);
}
