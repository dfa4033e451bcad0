import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { clockFault, measureClock } from '../db/clock-offset.ts';
import { pendingMigrations } from '../db/migrate.ts';
import type { Queryable } from '../db/pool.ts';
import { log } from '../observability/log.ts';
import { takeSample } from './samples.ts';

export type DriverState = 'embedded' | 'inngest' | 'fallback';

/** A process of the gateway by its own report. Times in milliseconds. */
export type ProcessState = {
  id: string;
  kind: 'web' | 'worker';
  host: string;
  pid: number;
  /** What runs the jobs, by a worker's report; `fallback`: itself, because Inngest does not. */
  driver: DriverState | null;
  startedAtMs: number;
  lastSeenAtMs: number;
  isSilent: boolean;
};

const BEAT_EVERY_MS = 10_000;
/** A process silent for longer than this is gone, or hangs. */
const SILENT_AFTER_MS = 3 * BEAT_EVERY_MS;
const FORGET_AFTER = "interval '1 hour'";

const HEARTBEAT = `
  INSERT INTO process_beats (id, kind, host, pid, driver, started_at, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET driver = excluded.driver, last_seen_at = excluded.last_seen_at`;

/** A process's signs of life. */
export type Heartbeats = {
  /** Records that the process ends in order. */
  stop(): Promise<void>;
};

/**
 * Writes every ten seconds that this process lives, and checks for missing migrations and for a
 * difference between this clock and the database's; a worker also takes the minute's sample of the
 * backlog. A failing heartbeat only leaves a gap.
 */
export function startHeartbeats(
  db: pg.Pool,
  process_: { kind: 'web' } | { kind: 'worker'; driver: () => DriverState },
  clock: () => Date = () => new Date(),
): Heartbeats {
  const host = hostname();
  const id = `${host}:${process.pid}:${randomBytes(6).toString('hex')}`;
  const startedAt = clock().toISOString();
  const lookForMigrations = createMigrationsLook(db);
  const writeHeartbeat = async () => {
    // This needs no table: a wrong clock must be noticed even while somebody locks one.
    await measureClock(db);
    // There is no heartbeat without its tables.
    await lookForMigrations();
    const now = clock();
    const driver = process_.kind === 'worker' ? process_.driver() : null;
    const values = [id, process_.kind, host, process.pid, driver, startedAt, now.toISOString()];
    await db.query({ name: 'process_beat', text: HEARTBEAT, values });
    // A worker whose clock is hours off would count all others as gone.
    if (process_.kind !== 'worker' || clockFault() !== null) return;
    await takeSample(db, now);
    await db.query(
      `DELETE FROM process_beats WHERE last_seen_at
         NOT BETWEEN $1::timestamptz - ${FORGET_AFTER} AND $1::timestamptz + ${FORGET_AFTER}`,
      [now.toISOString()],
    );
  };
  let last: Promise<void> | null = null;
  const tick = () => {
    last ??= writeHeartbeat()
      .catch((err: unknown) => log().debug({ err }, 'a heartbeat is missing'))
      .finally(() => {
        last = null;
      });
  };
  const timer = setInterval(tick, BEAT_EVERY_MS);
  timer.unref();
  tick();
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      await db
        .query('DELETE FROM process_beats WHERE id = $1', [id])
        .catch((err: unknown) => log().debug({ err }, 'no goodbye'));
    },
  };
}

// Live processes come first of very many: where processes restart over and over, most are dead.
const LIST = `
  SELECT * FROM (SELECT * FROM process_beats ORDER BY last_seen_at DESC LIMIT 200) seen
  ORDER BY kind DESC, started_at, id`;

/** The processes seen within the hour: workers first, then by their start. */
export async function listProcesses(db: Queryable, now: Date): Promise<ProcessState[]> {
  const { rows } = await db.query<{
    id: string;
    kind: 'web' | 'worker';
    host: string;
    pid: number;
    driver: DriverState | null;
    started_at: Date;
    last_seen_at: Date;
  }>(LIST);
  return rows.map(({ started_at, last_seen_at, ...row }) => ({
    ...row,
    startedAtMs: started_at.getTime(),
    lastSeenAtMs: last_seen_at.getTime(),
    // A heartbeat from the future comes from a clock that was ahead, and says nothing about now.
    isSilent: Math.abs(now.getTime() - last_seen_at.getTime()) > SILENT_AFTER_MS,
  }));
}

/**
 * Makes a check that logs when the database lacks migrations of the tree, once for each state:
 * other errors of a missing migration do not name the cause. A migration that only the database has
 * is a newer version's, which may run beside this one.
 */
export function createMigrationsLook(db: Queryable): () => Promise<void> {
  let told = '';
  return async () => {
    const [first = '', ...others] = await pendingMigrations(db);
    const missing = others.length === 0 ? first : `${first} and ${others.length} more`;
    if (missing === told) return;
    told = missing;
    if (missing === '') log().warn('the database has every migration now');
    else log().error(`the database lacks the migration ${missing}. Run: npm run migrate`);
  };
}
