import { measureClock } from '../db/clock-offset.ts';
import type { Queryable } from '../db/pool.ts';
import { withTimeout } from '../lib/timeout.ts';
import { log } from '../observability/log.ts';

const LIMIT_MS = 2_000;

/**
 * What the first requests build on: cached tokens, and a clock that is not known to be wrong, by which
 * a read would end invoices for good. A database that says nothing is not waited for, as little as one
 * that refuses: whoever asks is told so by a web that listens, and so is the load balancer. What comes
 * later counts when it comes.
 *
 * @param tokensReady of the listener for tokens, which logs its own faults
 */
export async function askDatabaseFirst(db: Queryable, tokensReady: Promise<void>): Promise<void> {
  await Promise.all([
    withTimeout(LIMIT_MS, tokensReady).catch(() => undefined),
    withTimeout(LIMIT_MS, measureClock(db)).catch((err: unknown) =>
      log().warn({ err }, 'the clock could not be held against the database’s yet'),
    ),
  ]);
}
