import pg, { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { reasonOf, SettingError } from '../lib/errors.ts';
import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { settings } from '../settings/settings.ts';

/** What a statement runs on: the pool, or one client inside a transaction. */
export type Queryable = {
  query<R extends QueryResultRow>(
    config: QueryConfig | string,
    values?: unknown[],
  ): Promise<QueryResult<R>>;
};

const held = processWide<{ pool?: pg.Pool }>('pool', () => ({}));

const CONNECT_TIMEOUT_MS = 10_000;
// A new connection costs a process of PostgreSQL, and plans every statement anew.
const IDLE_TIMEOUT_MS = 60_000;
// Before routers on the way forget it, and by default it would be hours.
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Of waiting, in milliseconds. */
export type Limits = {
  /** For an answer; then the connection counts as gone. */
  answer: number;
  /** For a statement, by PostgreSQL itself. */
  statement: number;
  /** For a lock that somebody else has, by PostgreSQL itself. */
  lock: number;
  /** For the next statement of a transaction, by PostgreSQL itself, which then undoes it. */
  idleTransaction: number;
};

/**
 * How long a process that serves waits. A network can go silent without an end, which TCP notices
 * after a quarter of an hour: until then a claim that waits for its answer would hold up every
 * callback, and a transaction whose process has gone every step of its payment.
 */
export const SERVING: Limits = {
  answer: 20_000,
  // Below it, so that PostgreSQL's own word comes first where there is one.
  statement: 15_000,
  // Each waits with a connection: whoever holds one row by hand must not take them all. Longer than
  // PostgreSQL takes to find a deadlock, and than a disk stalls.
  lock: 3_000,
  idleTransaction: 10_000,
};
// What `pg` says when `query_timeout` is over.
const SILENCE = 'Query read timeout';

// SQLSTATE read_only_sql_transaction. A session keeps what it began with: one that was opened while a full
// disk or a switch to another server made the database read only stays so when that is over.
const READ_ONLY = '25006';
// Of a table that no standby is sent, such as who is sending which callbacks: it has no SQLSTATE of its own.
const ON_A_STANDBY = 'cannot access temporary or unlogged relations during recovery';

// What `pg-pool` says when no connection was free in time.
const ALL_TAKEN = 'timeout exceeded when trying to connect';
// SQLSTATE too_many_connections: others have all that PostgreSQL or the role may have.
const NONE_LEFT = '53300';
// SQLSTATE lock_not_available: others kept a row, or a table.
const HELD = '55P03';

/** Whether something failed because others kept all connections, or for too long what it needs. */
export function isDatabaseBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return error.message === ALL_TAKEN || code === NONE_LEFT || code === HELD;
}

// What `pg-pool` says when a new connection was not made in time: its first packet was lost on the way,
// or a server takes it and says nothing.
const NO_CONNECTION = 'Connection terminated due to connection timeout';
const AWAY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

// What `pg` says when a connection ended, and the server gave no reason.
const CUT = 'Connection terminated unexpectedly';

const UNKNOWN_SIGNER = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Why a statement failed, for the operator; where there was no connection, that stands first. */
export function databaseFault(error: unknown): string {
  const reason = reasonOf(error);
  if (reason === NO_CONNECTION) {
    return `The database cannot be reached: nothing came from it within ${CONNECT_TIMEOUT_MS / 1000} s`;
  }
  const { code } = error as NodeJS.ErrnoException;
  if (reason === CUT || code === 'ECONNRESET') {
    return 'The connection to the database was closed without a reason: is the address PostgreSQL’s, and what does its log say?';
  }
  if (code === READ_ONLY || reason === ON_A_STANDBY) {
    return `The database is read only, as a standby is, and a restored one until it is promoted: ${reason}`;
  }
  if (UNKNOWN_SIGNER.includes(code ?? '')) {
    return `The database’s certificate was signed by nobody who is known here; name its CA in DATABASE_URL (sslmode=verify-full&sslrootcert=FILE): ${reason}`;
  }
  return AWAY.includes(code ?? '') ? `The database cannot be reached: ${reason}` : reason;
}

// What a database or a role may have otherwise. Every guard is a statement that sees what was
// committed before it began, also after it has waited for a lock; and `pg` reads ISO's dates only.
const RELIED_ON = ["default_transaction_isolation = 'read committed'", "DateStyle = 'ISO, MDY'"];

// By a statement and not while connecting, where a pooler refuses what it does not know.
function preparing(limits: Limits | undefined) {
  const settings = [...RELIED_ON];
  if (limits) {
    settings.push(`statement_timeout = ${limits.statement}`);
    settings.push(`lock_timeout = ${limits.lock}`);
    settings.push(`idle_in_transaction_session_timeout = ${limits.idleTransaction}`);
  }
  const text = settings.map((setting) => `SET ${setting}`).join('; ');
  return async (client: pg.ClientBase): Promise<void> => {
    await client.query(text);
  };
}

/**
 * Opens a pool of its own: for the process's pool, the operator's command and tests.
 *
 * @param limits none for work that may take its time, such as a migration's
 */
export function openPool(url: string, size: number, limits?: Limits): pg.Pool {
  const pool = new pg.Pool({
    ...(limits && { query_timeout: limits.answer }),
    onConnect: preparing(limits),
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'payment-gateway',
  });
  // Without listeners a connection that dies would end the process: the pool tells
  // of the idle ones, those inside a transaction tell themselves. There the
  // statement rejects as well, so that nothing more is to be done.
  pool.on('error', (error) => {
    // `end` does not wait for the goodbyes, so that a server which stops right after it can
    // still break one of them.
    if (!pool.ending) log().warn({ err: error }, 'an idle database connection broke');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * The one pool of the process.
 *
 * @throws SettingError when DATABASE_URL is not set: `npm start` sets it for its children.
 */
export function getPool(): pg.Pool {
  if (held.pool) return held.pool;
  const { databaseUrl, databasePoolSize } = settings();
  if (databaseUrl === null) {
    throw new SettingError(
      'DATABASE_URL is not set; `npm start` sets it for the embedded PostgreSQL.',
    );
  }
  held.pool = openPool(databaseUrl, databasePoolSize, SERVING);
  return held.pool;
}

/** Ends the process's pool after the statements in flight. */
export async function closePool(): Promise<void> {
  const { pool } = held;
  delete held.pool;
  await pool?.end();
}

/** For work over all that an outage has left, such as hours full of invoices. Milliseconds. */
const AT_LENGTH_MS = 5 * 60_000;

/** Runs a statement that may take minutes, also where a process serves; within a transaction. */
export async function queryAtLength<R extends QueryResultRow>(
  client: pg.PoolClient,
  query: QueryConfig,
): Promise<QueryResult<R>> {
  await client.query(`SET LOCAL statement_timeout = ${AT_LENGTH_MS}`);
  // `pg` reads it of each statement, though its types let only the pool set it.
  const config: QueryConfig & Pick<pg.PoolConfig, 'query_timeout'> = {
    ...query,
    query_timeout: AT_LENGTH_MS + 5_000,
  };
  return await client.query<R>(config);
}

/**
 * Runs `fn` in a transaction on one client: COMMIT when it resolves, ROLLBACK
 * when it rejects. A connection that could not even roll back, or may not write, is thrown away.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  fn: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await fn(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that went silent would not answer a rollback either.
    if (error instanceof Error && error.message === SILENCE) broken = error;
    else {
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      if ((error as { code?: string } | null)?.code === READ_ONLY) broken ??= error as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}
