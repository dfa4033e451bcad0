import pg, { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { reasonOf, SettingError } from '../lib/errors.ts';
import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { settings } from '../settings/settings.ts';

/** Runs a statement: the pool, or one client inside a transaction. */
export type Queryable = {
  query<R extends QueryResultRow>(
    config: QueryConfig | string,
    values?: unknown[],
  ): Promise<QueryResult<R>>;
};

const held = processWide<{ pool?: pg.Pool }>('pool', () => ({}));

const CONNECT_TIMEOUT_MS = 10_000;
// A new connection costs PostgreSQL a process, and plans every statement anew.
const IDLE_TIMEOUT_MS = 60_000;
// Routers on the way forget an idle connection; the default would be hours.
const KEEP_ALIVE_AFTER_MS = 10_000;

/** Limits of waiting, in milliseconds. */
export type Limits = {
  /** For an answer; after that the connection counts as lost. */
  answer: number;
  /** For a statement, enforced by PostgreSQL. */
  statement: number;
  /** For a lock that another transaction holds, enforced by PostgreSQL. */
  lock: number;
  /** For the next statement of a transaction, enforced by PostgreSQL, which then rolls it back. */
  idleTransaction: number;
};

/**
 * How long a serving process waits. TCP notices only after a quarter of an hour that a network went
 * silent. Until then a claim waiting for its answer would hold up every callback, and a transaction
 * whose process is gone would hold up every step of its payment.
 */
export const SERVING: Limits = {
  answer: 20_000,
  // Shorter than the answer's limit, so that PostgreSQL's own word comes first where there is one.
  statement: 15_000,
  // Each waiting statement occupies a connection, and somebody who holds one row by hand must not
  // block them all. Longer than PostgreSQL takes to find a deadlock, and than a disk stalls.
  lock: 3_000,
  idleTransaction: 10_000,
};
// `pg`'s message when `query_timeout` is over.
const SILENCE = 'Query read timeout';

// SQLSTATE read_only_sql_transaction. A session keeps the mode it began with: one that was opened
// while a full disk or a failover made the database read-only stays so afterwards.
const READ_ONLY = '25006';
// The message for a table that standbys lack, such as the callback senders'; it has no SQLSTATE.
const ON_A_STANDBY = 'cannot access temporary or unlogged relations during recovery';

// `pg-pool`'s message when no connection became free in time.
const ALL_TAKEN = 'timeout exceeded when trying to connect';
// SQLSTATE too_many_connections: others use all that PostgreSQL or the role allows.
const NONE_LEFT = '53300';
// SQLSTATE lock_not_available: others hold a row or a table.
const HELD = '55P03';

/** Whether something failed because others used all connections, or held a lock for too long. */
export function isDatabaseBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return error.message === ALL_TAKEN || code === NONE_LEFT || code === HELD;
}

// `pg-pool`'s message when a new connection was not made in time: its first packet was lost, or a
// server accepts it and says nothing.
const NO_CONNECTION = 'Connection terminated due to connection timeout';
const AWAY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

// `pg`'s message when a connection ended without a reason from the server.
const CUT = 'Connection terminated unexpectedly';

const UNKNOWN_SIGNER = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Why a statement failed, for the operator; a missing connection is named first. */
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

// Session settings that a database or a role may have changed. Guards are statements that must see
// everything committed before they began, even after a lock; and `pg` reads ISO dates only.
const RELIED_ON = ["default_transaction_isolation = 'read committed'", "DateStyle = 'ISO, MDY'"];

// Set by a statement after connecting, because a pooler refuses unknown parameters.
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
 * Opens a new pool: for the process's pool, the operator's command and tests.
 *
 * @param limits omitted for work that may take long, such as a migration's
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
  // A dying connection would end the process without listeners. The pool reports idle connections;
  // those inside a transaction report themselves. In a transaction the statement rejects as well,
  // so there is nothing more to do.
  pool.on('error', (error) => {
    // `end` does not wait for the closing messages, so a server that stops right after it can still
    // break one.
    if (!pool.ending) log().warn({ err: error }, 'an idle database connection broke');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * The process's only pool.
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

/** For work on everything an outage has left, such as hours of invoices. Milliseconds. */
const AT_LENGTH_MS = 5 * 60_000;

/** Runs a statement within a transaction that may take minutes even in a serving process. */
export async function queryAtLength<R extends QueryResultRow>(
  client: pg.PoolClient,
  query: QueryConfig,
): Promise<QueryResult<R>> {
  await client.query(`SET LOCAL statement_timeout = ${AT_LENGTH_MS}`);
  // `pg` reads this for each statement, though its types let only the pool set it.
  const config: QueryConfig & Pick<pg.PoolConfig, 'query_timeout'> = {
    ...query,
    query_timeout: AT_LENGTH_MS + 5_000,
  };
  return await client.query<R>(config);
}

/**
 * Runs `fn` in a transaction on one client: COMMIT when it resolves, ROLLBACK when it rejects. A
 * connection that cannot even roll back, or may not write, is discarded.
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
    // A silent connection would not answer a rollback either.
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
