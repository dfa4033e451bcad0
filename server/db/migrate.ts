import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import pg from 'pg';
import { projectRoot } from '../settings/settings.ts';
import { continueEvents } from './continue-events.ts';
import { databaseFault, openPool, type Queryable, SERVING } from './pool.ts';

/** Older versions were never tested; the documents name this one as well. */
const OLDEST_POSTGRES = 15;

const FILTERS = { externalTables: [], externalEnums: [] };
const LOCK_FILE = 'migration_lock.toml';
/**
 * The process that migrates holds this advisory lock, however long it takes; the engine's own lock
 * makes the others give up after ten seconds. The number is arbitrary.
 */
export const MIGRATION_LOCK_KEY = 7_240_110_001;

/** How long migrations wait for tables in use. */
export type MigrationWaits = {
  /** For one lock: other statements on the table queue behind it meanwhile. */
  lockMs: number;
  /** Before the next try, so that the queue can drain. */
  pauseMs: number;
  tries: number;
};

// Shorter than a serving process waits, so that statements queued behind a migration succeed.
const WAITS: MigrationWaits = { lockMs: SERVING.lock - 1_000, pauseMs: 5_000, tries: 6 };
// lock_not_available and deadlock_detected: the same script succeeds once the others are gone.
const LOCKED_OUT = ['55P03', '40P01'];

/** What follows a migration at each start. */
const FOLLOW_UPS: { [migration: string]: (pool: pg.Pool) => Promise<void> } = {
  '20261129141500_events': continueEvents,
};

/** The folder of the migrations, in Prisma's own layout. */
export function migrationsFolder(): string {
  return join(projectRoot(), 'prisma', 'migrations');
}

/** Names of the tree's migrations, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsFolder(), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

// The statement on a broken connection reports the break.
const ignore = () => undefined;

async function readMigrations() {
  const baseDir = migrationsFolder();
  const names = await migrationNames();
  return {
    baseDir,
    lockfile: { path: LOCK_FILE, content: await readFile(join(baseDir, LOCK_FILE), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

/** The engine writes several coloured lines; an operator needs the text. */
function plainError(error: unknown): Error {
  const reason = stripVTControlCharacters(databaseFault(error)).trim();
  return new Error(`The migrations could not be applied: ${reason}`, { cause: error });
}

/**
 * Marks interrupted scripts as rolled back, so that they run again: each is one transaction and
 * left nothing behind.
 */
async function releaseUnfinished(db: Queryable): Promise<void> {
  if (!(await hasTable(db))) return;
  await db.query(`
    UPDATE _prisma_migrations SET rolled_back_at = now()
    WHERE finished_at IS NULL AND rolled_back_at IS NULL`);
}

/**
 * One connection, which holds the lock as long as the server works for it: a script goes on after
 * its process is killed, and the next process waits for it.
 */
function openMigratingPool(connectionString: string, lockMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK_KEY]);
      await client.query(`SET lock_timeout = ${lockMs}`);
    },
  });
  pool.on('error', ignore);
  return pool;
}

/** A script that failed, with PostgreSQL's own message. */
class ScriptFault extends Error {
  readonly isLockedOut: boolean;

  constructor(name: string | undefined, cause: Error & { code?: string; detail?: string }) {
    const isLockedOut = LOCKED_OUT.includes(cause.code ?? '');
    const reason = isLockedOut
      ? 'a dump or a long transaction holds what it changes. Run it again when that has ended'
      : [cause.message, cause.detail].filter(Boolean).join('. ');
    super(`${name}: ${reason}`, { cause });
    this.isLockedOut = isLockedOut;
  }
}

async function applyPending(pool: pg.Pool): Promise<void> {
  await releaseUnfinished(pool);
  const migrationsList = await readMigrations();
  let fault: ScriptFault | undefined;
  const onFault = (error: Error, script: string) => {
    const its = migrationsList.migrationDirectories.find(
      ({ migrationFile }) => migrationFile.content.value === script,
    );
    fault = new ScriptFault(its?.path, error);
  };
  // Loaded only here: the engine takes a while, and most starts do not need it.
  const { migratingAdapter, openSchemaEngine } = await import('./schema-engine.ts');
  const engine = await openSchemaEngine(migratingAdapter(pool, onFault));
  try {
    await engine.applyMigrations({ migrationsList, filters: FILTERS });
  } catch (error) {
    throw fault ?? error;
  }
}

/**
 * Does what `prisma migrate deploy` does, with the same `_prisma_migrations` table. Unlike it, an
 * interrupted migration is applied again, and one that waits long for a table lets go of it for a
 * while. Several processes may call it at once: one applies, the others wait.
 *
 * @returns the names that were applied now, oldest first; empty when none was pending
 * @throws Error with PostgreSQL's words when a migration fails, else the engine's; or that the
 *   server is too old
 */
export async function applyMigrations(
  databaseUrl: string,
  { lockMs, pauseMs, tries }: MigrationWaits = WAITS,
): Promise<string[]> {
  const pool = openMigratingPool(databaseUrl, lockMs);
  try {
    await refuseUnfit(databaseUrl);
    const pending = await pendingMigrations(pool);
    for (let left = tries - 1; pending.length > 0; left--) {
      try {
        await applyPending(pool);
        break;
      } catch (error) {
        if (left <= 0 || !(error instanceof ScriptFault && error.isLockedOut)) throw error;
        await sleep(pauseMs);
      }
    }
    for (const name of await migrationNames()) await FOLLOW_UPS[name]?.(pool);
    return pending;
  } catch (error) {
    throw plainError(error);
  } finally {
    await pool.end();
  }
}

/**
 * Uses a connection that does not wait for others' migrations, so that a silent server is noticed.
 *
 * @throws Error when the server is unreachable, or older than the oldest tested version, or the
 *   database cannot hold every text
 */
async function refuseUnfit(databaseUrl: string): Promise<void> {
  const pool = openPool(databaseUrl, 1);
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      `SELECT current_setting('server_version') AS version,
              current_setting('server_encoding') AS encoding`,
    );
    const { version = '', encoding = '' } = rows[0] ?? {};
    if (!(Number.parseInt(version, 10) >= OLDEST_POSTGRES)) {
      throw new Error(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; this is ${version}.`);
    }
    if (encoding !== 'UTF8') {
      throw new Error(
        `The database must have the encoding UTF8; this one has ${encoding}. ` +
          'Create another by CREATE DATABASE … ENCODING UTF8 TEMPLATE template0.',
      );
    }
  } finally {
    await pool.end();
  }
}

async function hasTable(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  return rows[0]?.present === true;
}

/**
 * The migrations of the tree that a database lacks (in plain SQL, so that a health check costs one
 * statement and needs no engine).
 *
 * @returns names, oldest first; an unfinished one counts as lacking
 */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const names = await migrationNames();
  if (!(await hasTable(db))) return names;
  const { rows } = await db.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  return names.filter((name) => !applied.has(name));
}
