import type { Pool } from 'pg';
import { getPool, type Queryable } from '../db/pool.ts';
import { opens } from '../lib/encrypt.ts';
import { reasonOf, SettingError } from '../lib/errors.ts';
import { processWide } from '../lib/process-wide.ts';
import { withTimeout } from '../lib/timeout.ts';
import { log, logFatal } from '../observability/log.ts';
import { secretsKeyFile as fileIn, makeKeyFile, readKeyFile } from '../settings/secrets-key.ts';
import { settings } from '../settings/settings.ts';
import { SEALED_COLUMNS, type SealedColumn, type SealedRow } from './sealed-columns.ts';

/**
 * How many of the newest and of the oldest values of each kind are checked. During a rotation the
 * newest may be another process's, and the oldest reveal an unfinished one; and a single row that
 * no key opens must not stop the service for all others.
 */
const LOOKED_AT = 20;
/** A start waits no longer for an absent database. */
const FIRST_LOOK_MS = 2_000;
const LOOK_AGAIN_MS = 5_000;
const UNDEFINED_TABLE = '42P01';

type Sealed = { sealed: Buffer; context: string };

async function sealedOf(db: Queryable, kind: SealedColumn): Promise<Sealed[]> {
  const { table, column, context, contextOf } = kind;
  const some = (order: 'ASC' | 'DESC') =>
    `(SELECT id, ${column} AS sealed, ${context} FROM ${table}
      WHERE ${column} IS NOT NULL ORDER BY id ${order} LIMIT ${LOOKED_AT})`;
  const { rows } = await db.query<SealedRow>(`${some('DESC')} UNION ${some('ASC')}`);
  return rows.map((row) => ({ sealed: row.sealed, context: contextOf(row) }));
}

async function someSealed(db: Queryable): Promise<Sealed[]> {
  const found: Sealed[] = [];
  try {
    for (const kind of SEALED_COLUMNS) found.push(...(await sealedOf(db, kind)));
  } catch (error) {
    // A database holds nothing before its first migration.
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
  }
  return found;
}

/** How many sealed values were checked, and how many of them do not open. */
type Looked = { lookedAt: number; lost: number };

/**
 * Checks the key against the database's sealed values, before anything is signed or sealed with it.
 * Makes a key if there is none yet and nothing is sealed.
 *
 * @throws SettingError where the key is missing or none of the sealed values opens
 */
export async function checkSecretsKey(db: Queryable): Promise<Looked> {
  // Read before the file: a process that has sealed something by now has stored its key first.
  const sealed = await someSealed(db);
  const { secretsKeyFile, openingKeys } = withKey(sealed.length === 0);
  const lookedAt = sealed.length;
  const lost = sealed.filter((each) => !opens(openingKeys, each.sealed, each.context)).length;
  if (lost < lookedAt || lookedAt === 0) return { lookedAt, lost };
  const name = secretsKeyFile === null ? 'SECRETS_KEY' : `the key in ${secretsKeyFile}`;
  throw new SettingError(
    `No secret in the database opens with ${name}: they were sealed with another key. ` +
      wayOut(sealed),
  );
}

/** If SECRETS_KEY was set after a start without it, the right key is that start's. */
function wayOut(sealed: readonly Sealed[]): string {
  const file = fileIn(settings().dataDir);
  const made = keyIn(file);
  if (made === null || !sealed.some((each) => opens(made, each.sealed, each.context))) {
    return 'Set SECRETS_KEY to the key of this database.';
  }
  return (
    `The key in ${file} opens them. Set SECRETS_KEY_PREVIOUS to its content, ` +
    'then run: npm run gateway -- secrets reseal'
  );
}

/** An unreadable file does not help. */
function keyIn(file: string): Buffer | null {
  try {
    return readKeyFile(file);
  } catch {
    return null;
  }
}

function withKey(mayMake: boolean) {
  const current = settings();
  const { secretsKeyFile: file } = current;
  if (file === null || readKeyFile(file) !== null) return current;
  if (!mayMake) {
    throw new SettingError(
      `SECRETS_KEY is not set and there is no ${file}, but the database holds secrets that were ` +
        'sealed with a key. Set SECRETS_KEY to the key of this database.',
    );
  }
  try {
    makeKeyFile(file);
  } catch (error) {
    throw keyless('no key can be made', error);
  }
  return current;
}

function hasKey(): boolean {
  const { secretsKeyFile: file } = settings();
  return file === null || readKeyFile(file) !== null;
}

const guard = processWide('secrets-key', () => ({ hasBegun: false }));

function endProcess(error: Error): void {
  logFatal(error);
  process.exit(1);
}

/** A few that do not open stop no process, but nothing else explains missing callbacks. */
async function lookAndTell(pool: Pool): Promise<void> {
  const looked = await checkSecretsKey(pool);
  if (looked.lost === 0) return;
  log().error(
    looked,
    'some of the sealed values do not open with SECRETS_KEY: if it was exchanged, set ' +
      'SECRETS_KEY_PREVIOUS to the key before, then run: npm run gateway -- secrets reseal',
  );
}

/**
 * `checkSecretsKey` for a serving process, once. With a key it starts even without a database, and
 * checks when that returns.
 *
 * @param end called when the key turns out wrong after the start
 * @throws SettingError as `checkSecretsKey`, and where there is neither a key nor a database
 */
export async function guardSecretsKey(
  pool: Pool = getPool(),
  end: (error: Error) => void = endProcess,
): Promise<void> {
  if (guard.hasBegun) return;
  guard.hasBegun = true;
  const isSet = hasKey();
  try {
    const look = lookAndTell(pool);
    await (isSet ? withTimeout(FIRST_LOOK_MS, look) : look);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    if (!isSet) throw keyless('whether the database needs one cannot be asked', error);
    log().warn({ err: error }, 'the database could not be asked whether SECRETS_KEY is its key');
    lookLater(pool, end);
  }
}

function keyless(why: string, error: unknown): SettingError {
  return new SettingError(`SECRETS_KEY is not set, and ${why}: ${reasonOf(error)}`);
}

function lookLater(pool: Pool, end: (error: Error) => void): void {
  const look = async (): Promise<void> => {
    try {
      await lookAndTell(pool);
    } catch (error) {
      if (error instanceof SettingError) end(error);
      else lookLater(pool, end);
    }
  };
  setTimeout(look, LOOK_AGAIN_MS).unref();
}
