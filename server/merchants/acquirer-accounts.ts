import type { Queryable } from '../db/pool.ts';
import { SEAL_CONTEXTS, seal, unseal } from '../lib/encrypt.ts';
import { newId } from '../lib/ids.ts';
import { settings } from '../settings/settings.ts';
import {
  type AccountFault,
  type AccountFaultCode,
  readFault,
  writeFault,
} from './account-faults.ts';
import type { Environment } from './types.ts';

/** What a merchant entered for an acquirer, by the names of the acquirer's own cabinet. */
export type AcquirerCredentials = Readonly<Record<string, string>>;

/** A merchant's own contract with an acquirer, in one environment. */
export type AcquirerAccount = {
  id: string;
  merchantId: string;
  environment: Environment;
  /** A name of the registry of providers. */
  provider: string;
  /** As the buyer reads it. */
  name: string;
  /** Methods are offered in this order, the smallest first. */
  position: number;
  isEnabled: boolean;
  createdAtMs: number;
  disconnectedAtMs: number | null;
  checkedAtMs: number | null;
  /** Why the last check failed; null when it did not, or there was none. */
  checkFault: AccountFault | null;
  /** When the acquirer last called the account's hook. */
  calledAtMs: number | null;
  /** Why that call was turned away; null when it was let in, or there was none. */
  callFault: AccountFault | null;
  /** How many of our calls to the acquirer have failed in a row. */
  failureCount: number;
  /** The last of them, to the minute, and what failed; null when the last call was answered. */
  failedAtMs: number | null;
  failure: string | null;
  /** Since when the account counts as down; null when it does not. */
  downSinceMs: number | null;
};

/** An account and what opens it at the acquirer. Lives in memory only: never logged, never shown. */
export type OpenAccount = AcquirerAccount & {
  credentials: AcquirerCredentials;
  /**
   * Notes what became of one of our calls to the acquirer: what failed, or null for an answer. An
   * answer writes only where the account had failures when it was opened.
   */
  noteCall(failure: string | null): Promise<void>;
};

/** So many failures in a row make an account count as down. */
const FAILURES_TO_DOWN = 5;
const MAX_FAILURE_LENGTH = 200;

type Row = {
  id: string;
  merchant_id: string;
  environment: Environment;
  provider: string;
  name: string;
  position: number;
  is_enabled: boolean;
  credentials: Buffer;
  created_at: Date;
  disconnected_at: Date | null;
  checked_at: Date | null;
  check_fault: string | null;
  called_at: Date | null;
  call_fault: string | null;
  failure_count: number;
  failed_at: Date | null;
  failure: string | null;
  down_since: Date | null;
};

const COLUMNS = `id, merchant_id, environment, provider, name, position, is_enabled, credentials,
  created_at, disconnected_at, checked_at, check_fault, called_at, call_fault,
  failure_count, failed_at, failure, down_since`;

function toAccount(row: Row): AcquirerAccount {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    provider: row.provider,
    name: row.name,
    position: row.position,
    isEnabled: row.is_enabled,
    createdAtMs: row.created_at.getTime(),
    disconnectedAtMs: row.disconnected_at?.getTime() ?? null,
    checkedAtMs: row.checked_at?.getTime() ?? null,
    checkFault: row.check_fault === null ? null : readFault(row.check_fault),
    calledAtMs: row.called_at?.getTime() ?? null,
    callFault: row.call_fault === null ? null : readFault(row.call_fault),
    failureCount: row.failure_count,
    failedAtMs: row.failed_at?.getTime() ?? null,
    failure: row.failure,
    downSinceMs: row.down_since?.getTime() ?? null,
  };
}

/** The accounts of a merchant in one environment that are connected, in their order. */
export async function listAccounts(
  db: Queryable,
  { merchantId, environment }: { merchantId: string; environment: Environment },
): Promise<AcquirerAccount[]> {
  const { rows } = await db.query<Row>({
    name: 'acquirer_accounts',
    text: `SELECT ${COLUMNS} FROM acquirer_accounts
           WHERE merchant_id = $1 AND environment = $2::environment AND disconnected_at IS NULL
           ORDER BY position, id`,
    values: [merchantId, environment],
  });
  return rows.map(toAccount);
}

/** What buyers read of accounts, connected or not, by their ids. */
export async function accountNames(
  db: Queryable,
  ids: readonly string[],
): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'acquirer_account_names',
    text: 'SELECT id, name FROM acquirer_accounts WHERE id = ANY ($1)',
    values: [ids],
  });
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

/** One account, connected or not; null when there is none. */
export async function findAccount(db: Queryable, id: string): Promise<AcquirerAccount | null> {
  const { rows } = await db.query<Row>({
    name: 'acquirer_account',
    text: `SELECT ${COLUMNS} FROM acquirer_accounts WHERE id = $1`,
    values: [id],
  });
  return rows[0] ? toAccount(rows[0]) : null;
}

/**
 * One account with its credentials; null when there is none.
 *
 * @throws Error when SECRETS_KEY does not open them
 */
export async function openAccount(db: Queryable, id: string): Promise<OpenAccount | null> {
  const { rows } = await db.query<Row>({
    name: 'acquirer_account',
    text: `SELECT ${COLUMNS} FROM acquirer_accounts WHERE id = $1`,
    values: [id],
  });
  const row = rows[0];
  if (!row) return null;
  const text = unseal(settings().openingKeys, row.credentials, SEAL_CONTEXTS.acquirerAccount(id));
  const account = toAccount(row);
  return {
    ...account,
    credentials: JSON.parse(text) as AcquirerCredentials,
    noteCall: (failure) =>
      failure === null ? noteAnswer(db, account) : noteFailure(db, id, failure),
  };
}

/** Ends a row of failures. The common case, an account without any, costs no statement. */
async function noteAnswer(
  db: Queryable,
  { id, failureCount }: Pick<AcquirerAccount, 'id' | 'failureCount'>,
): Promise<void> {
  if (failureCount === 0) return;
  await db.query(
    `UPDATE acquirer_accounts
     SET failure_count = 0, failed_at = NULL, failure = NULL, down_since = NULL
     WHERE id = $1 AND failure_count > 0`,
    [id],
  );
}

/** Counts a failure. An account that is down is written once a minute, however many calls fail. */
async function noteFailure(db: Queryable, id: string, failure: string): Promise<void> {
  await db.query(
    `UPDATE acquirer_accounts
     SET failure_count = failure_count + 1, failed_at = now(), failure = $2,
         down_since = CASE WHEN failure_count + 1 >= ${FAILURES_TO_DOWN}
                           THEN coalesce(down_since, now()) END
     WHERE id = $1 AND (down_since IS NULL OR failed_at < now() - interval '1 minute')`,
    [id, failure.slice(0, MAX_FAILURE_LENGTH)],
  );
}

/**
 * The ids of connected accounts that are down and have not been asked for a minute, the longest
 * first.
 */
export async function listDown(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM acquirer_accounts
     WHERE down_since IS NOT NULL AND disconnected_at IS NULL
       AND failed_at < now() - interval '1 minute'
     ORDER BY failed_at, id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** How many accounts that buyers are offered are down, by provider; 0 where none of its is. */
export async function countDown(db: Queryable): Promise<{ provider: string; count: number }[]> {
  const { rows } = await db.query<{ provider: string; count: number }>(
    `SELECT provider, count(down_since)::int AS count FROM acquirer_accounts
     WHERE is_enabled AND disconnected_at IS NULL GROUP BY provider`,
  );
  return rows;
}

/** Writes an account behind those that are there. @returns its id, `acq_…` */
export async function insertAccount(
  db: Queryable,
  account: Pick<OpenAccount, 'merchantId' | 'environment' | 'provider' | 'name' | 'credentials'>,
  now: Date,
): Promise<string> {
  const id = newId('acq', now.getTime());
  const text = JSON.stringify(account.credentials);
  await db.query(
    `INSERT INTO acquirer_accounts
       (id, merchant_id, environment, provider, name, position, credentials, created_at)
     SELECT $1, $2, $3::environment, $4, $5, coalesce(max(position), 0) + 1, $6, $7
     FROM acquirer_accounts WHERE merchant_id = $2 AND environment = $3::environment`,
    [
      id,
      account.merchantId,
      account.environment,
      account.provider,
      account.name,
      seal(settings().secretsKey, text, SEAL_CONTEXTS.acquirerAccount(id)),
      now.toISOString(),
    ],
  );
  return id;
}

/** Switches an account on or off. @returns whether that changed it */
export async function setEnabled(db: Queryable, id: string, isEnabled: boolean): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE acquirer_accounts SET is_enabled = $2
     WHERE id = $1 AND is_enabled <> $2 AND disconnected_at IS NULL`,
    [id, isEnabled],
  );
  return rowCount === 1;
}

/** Ends an account for good: it offers nothing, and its hook answers only for what is under way. */
export async function markDisconnected(db: Queryable, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE acquirer_accounts SET is_enabled = false, disconnected_at = $2
     WHERE id = $1 AND disconnected_at IS NULL`,
    [id, now.toISOString()],
  );
  return rowCount === 1;
}

/**
 * Puts accounts into an order.
 *
 * @param ids all that are connected, the first one first
 * @returns how many were moved; the caller compares it with what it asked for
 */
export async function setOrder(
  db: Queryable,
  { merchantId, environment }: { merchantId: string; environment: Environment },
  ids: readonly string[],
): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE acquirer_accounts a SET position = wanted.position
     FROM unnest($3::text[]) WITH ORDINALITY AS wanted (id, position)
     WHERE a.id = wanted.id AND a.merchant_id = $1 AND a.environment = $2::environment
       AND a.disconnected_at IS NULL`,
    [merchantId, environment, ids],
  );
  return rowCount ?? 0;
}

/** Keeps what a check found: null when all was well. */
export async function recordCheck(
  db: Queryable,
  id: string,
  fault: AccountFault | null,
  now: Date,
): Promise<void> {
  await db.query('UPDATE acquirer_accounts SET checked_at = $3, check_fault = $2 WHERE id = $1', [
    id,
    fault && writeFault(fault),
    now.toISOString(),
  ]);
}

/**
 * Keeps when the acquirer last called, to the minute, and whether it was let in: hooks come by the
 * hundred, and one row is not to be written for each.
 */
export async function recordCall(
  db: Queryable,
  { id, calledAtMs, callFault }: Pick<AcquirerAccount, 'id' | 'calledAtMs' | 'callFault'>,
  fault: AccountFaultCode | null,
  now: Date,
): Promise<void> {
  const isSame = callFault?.code === (fault ?? undefined);
  if (isSame && calledAtMs !== null && now.getTime() - calledAtMs < 60_000) return;
  await db.query('UPDATE acquirer_accounts SET called_at = $3, call_fault = $2 WHERE id = $1', [
    id,
    fault,
    now.toISOString(),
  ]);
}
