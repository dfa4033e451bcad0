import { clockFault, measureClock } from '../../db/clock-offset.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { getPool, type Queryable } from '../../db/pool.ts';
import { processWide } from '../../lib/process-wide.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { log } from '../../observability/log.ts';

/** `reason` is for an operator and names no host, user or path. */
export type Health = { status: 'ok' } | { status: 'unavailable'; reason: string };

const LIMIT_MS = 2_000;
/** How long an answer is reused. */
const KEPT_MS = 250;
const SLOW: Health = {
  status: 'unavailable',
  reason: `the database did not answer within ${LIMIT_MS / 1000} s`,
};

async function look(db: Queryable): Promise<Health> {
  try {
    // A standby answers every read but accepts no write.
    const { rows } = await db.query<{ read_only: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS read_only`,
    );
    if (rows[0]?.read_only) return { status: 'unavailable', reason: 'the database is read only' };
    await measureClock(db);
    const fault = clockFault();
    if (fault !== null) return { status: 'unavailable', reason: fault };
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return { status: 'ok' };
    return { status: 'unavailable', reason: `migrations are missing: ${pending.join(', ')}` };
  } catch (error) {
    log().warn({ err: error }, 'the health check failed');
    return { status: 'unavailable', reason: 'the database cannot be reached' };
  }
}

/** The check under way, or its kept answer, by database. */
const looks = processWide('health-looks', () => new WeakMap<Queryable, Promise<Health>>());

/**
 * Whether the database answers within two seconds, is writable, has the same time and every
 * migration of the tree; or whether it did a moment ago. Anybody may ask, and all concurrent
 * callers share one check: with a check for each, so many would be late that a healthy web calls
 * itself unavailable.
 */
export async function checkHealth(db: Queryable = getPool()): Promise<Health> {
  const shared = looks.get(db);
  if (shared !== undefined) return await shared;
  const own = withTimeout(LIMIT_MS, look(db)).catch(() => SLOW);
  looks.set(db, own);
  const health = await own;
  setTimeout(() => looks.delete(db), KEPT_MS).unref();
  return health;
}
