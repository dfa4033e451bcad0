import type pg from 'pg';
import { measureClock } from '../db/clock-offset.ts';
import { applyMigrations, pendingMigrations } from '../db/migrate.ts';
import { openPool, type Queryable } from '../db/pool.ts';
import { SettingError } from '../lib/errors.ts';
import { gatewayLock, lockHolder } from '../lib/process-lock.js';
import type { AuditActor } from '../merchants/audit.ts';
import { checkSecretsKey } from '../operating/secrets-key.ts';
import { type EmbeddedServer, startEmbedded } from '../process/embedded-postgres/embedded.ts';
import { isEmpty } from '../process/embedded-postgres/embedded-cluster.ts';
import { recallPublicUrl } from '../settings/public-url-file.ts';
import { settings, systemUser } from '../settings/settings.ts';
import { untilInterrupted } from './interruption.ts';

/** What a command works with. */
export type CommandContext = {
  pool: pg.Pool;
  actor: AuditActor;
  /** The database's time: the workers, which decide what is due, are compared with that. */
  now: Date;
  /** The gateway's `{origin}`, without a trailing slash; null where it is not known. */
  publicUrl: string | null;
};

/** A command's input and output. */
export type CommandIo = {
  /** Writes the result to stdout; nothing else goes there. */
  print(text: string): void;
  /** Runs a command with the database, whether the gateway runs or not. */
  withDatabase(work: (context: CommandContext) => Promise<void>): Promise<void>;
};

/** The URL of the gateway last started on this data, unless a variable names another. */
export function publicUrl(): string {
  const { publicUrl: set, publicUrlIsPreset, dataDir } = settings();
  return (publicUrlIsPreset ? recallPublicUrl(dataDir) : null) ?? set;
}

/**
 * `publicUrl` where it is certain. With a DATABASE_URL webs run elsewhere, and only PUBLIC_URL
 * names them; otherwise the URL of a gateway now running on this data.
 */
function knownPublicUrl(): string | null {
  const { isProduction, publicUrlIsGiven, databaseUrl, dataDir } = settings();
  const isToBeGiven = isProduction && databaseUrl !== null && !publicUrlIsGiven;
  return isToBeGiven && lockHolder(gatewayLock(dataDir)) === null ? null : publicUrl();
}

// Enough for a transaction and a concurrent statement.
const POOL_SIZE = 2;

/** The person at this machine: the audit log names them where the system knows. */
function commandActor(): AuditActor {
  const user = systemUser();
  const label = user === null ? 'gateway command' : `gateway command (${user})`;
  return { type: 'operator', id: null, label };
}

async function workOn(url: string, work: (context: CommandContext) => Promise<void>) {
  const pool = openPool(url, POOL_SIZE);
  try {
    await refuseWhenBehind(pool);
    await checkSecretsKey(pool);
    const now = new Date(Date.now() - (await measureClock(pool)));
    await work({ pool, actor: commandActor(), now, publicUrl: knownPublicUrl() });
  } finally {
    await pool.end();
  }
}

async function refuseWhenBehind(db: Queryable): Promise<void> {
  const [first] = await pendingMigrations(db);
  if (first === undefined) return;
  throw new SettingError(
    `The database of DATABASE_URL lacks the migration ${first}. Run: npm run migrate`,
  );
}

/** A gateway started meanwhile may use the server, which then stays. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const pool = openPool(url, 1);
  try {
    const { rows } = await pool.query<{ others: number }>(
      `SELECT count(*)::int AS others FROM pg_stat_activity
       WHERE backend_type = 'client backend'
         AND application_name <> current_setting('application_name')`,
    );
    return rows[0]?.others !== 0;
  } finally {
    await pool.end();
  }
}

/** The name tells an interrupted command's own connections from others'. */
function ownUrl(server: EmbeddedServer): string {
  const url = new URL(server.url);
  url.searchParams.set('application_name', `gateway command ${process.pid}`);
  return url.href;
}

/** The embedded PostgreSQL for one command; an early end must not leave it running. */
async function workOnEmbedded(
  dataDir: string,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const interruption = untilInterrupted();
  const starting = startEmbedded({ dataDir });
  try {
    const url = ownUrl(await Promise.race([starting, interruption]));
    await Promise.race([applyMigrations(url), interruption]);
    await Promise.race([workOn(url, work), interruption]);
  } finally {
    const server = await starting.catch(() => null);
    if (server?.startedHere && !(await isUsedByOthers(ownUrl(server)))) await server.stop();
  }
}

/**
 * Runs `work` on the database of DATABASE_URL, which must be up to date, or on the embedded
 * PostgreSQL, which is started and migrated for it if it does not run, and then stopped.
 *
 * @throws Interrupted when a signal or a failing output ends the command, which then leaves
 *   nothing running; SettingError where there is neither database, or SECRETS_KEY
 *   is not the database's
 */
export async function withDatabase(
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { databaseUrl, dataDir } = settings();
  if (databaseUrl !== null) {
    await workOn(databaseUrl, work);
    return;
  }
  // If DATABASE_URL was forgotten, a new and empty database would accept every command.
  if (isEmpty(dataDir)) {
    throw new SettingError(
      `There is no database in ${dataDir} yet. Set DATABASE_URL (or DATA_DIR) to the gateway's own, ` +
        'or start the gateway there once: npm start',
    );
  }
  await workOnEmbedded(dataDir, work);
}
