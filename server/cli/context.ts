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

/** What a command gets to work with. */
export type CommandContext = {
  pool: pg.Pool;
  actor: AuditActor;
  /** By the database's clock: the workers', which judge what is due, are held against that. */
  now: Date;
  /** `{origin}` of the gateway, without a slash at its end; null where nobody has said it. */
  publicUrl: string | null;
};

/** How commands reach the world. */
export type CommandIo = {
  /** The result, on stdout; nothing else goes there. */
  print(text: string): void;
  /** Runs a command with the database, whether the gateway runs or not. */
  withDatabase(work: (context: CommandContext) => Promise<void>): Promise<void>;
};

/** Of the gateway that was started on this data last, unless a variable says otherwise. */
export function publicUrl(): string {
  const { publicUrl: set, publicUrlIsPreset, dataDir } = settings();
  return (publicUrlIsPreset ? recallPublicUrl(dataDir) : null) ?? set;
}

/**
 * `publicUrl` where it is more than a guess. Beside a DATABASE_URL webs run elsewhere, and only
 * PUBLIC_URL tells where; or a gateway that runs on this data now.
 */
function knownPublicUrl(): string | null {
  const { isProduction, publicUrlIsGiven, databaseUrl, dataDir } = settings();
  const isToBeGiven = isProduction && databaseUrl !== null && !publicUrlIsGiven;
  return isToBeGiven && lockHolder(gatewayLock(dataDir)) === null ? null : publicUrl();
}

// Enough for a transaction and a statement beside it.
const POOL_SIZE = 2;

/** Who works at this machine: the audit log shall name a person where the system knows one. */
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

/** A gateway that was started in the meantime may use the server: then it stays. */
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

/** By this name a command that is cut short knows its own connections from others'. */
function ownUrl(server: EmbeddedServer): string {
  const url = new URL(server.url);
  url.searchParams.set('application_name', `gateway command ${process.pid}`);
  return url.href;
}

/** The embedded PostgreSQL for one command, whose early end must not leave it running. */
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
 * Runs `work` on the database of DATABASE_URL, which must be up to date; or on the
 * embedded PostgreSQL, which is started and migrated for it when it does not run,
 * and stopped again.
 *
 * @throws Interrupted when a signal or an output that cannot be written ends the command, which
 *   then leaves nothing running; SettingError where there is neither, or SECRETS_KEY
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
  // Where DATABASE_URL was forgotten, a new and empty one would take every command's word.
  if (isEmpty(dataDir)) {
    throw new SettingError(
      `There is no database in ${dataDir} yet. Set DATABASE_URL (or DATA_DIR) to the gateway's own, ` +
        'or start the gateway there once: npm start',
    );
  }
  await workOnEmbedded(dataDir, work);
}
