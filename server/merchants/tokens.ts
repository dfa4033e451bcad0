import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { hashToken } from '../lib/opaque-token.ts';
import { randomText } from '../lib/random-text.ts';
import { lockMerchant } from './lock.ts';
import { DEFAULT_SCOPES, type Environment, type Scope } from './types.ts';

// 43 characters of base 62 hold 256 bits: the hash needs neither salt nor slowness.
const RANDOM_LENGTH = 43;
const VISIBLE_LENGTH = 4;

/** A merchant's limit of working tokens in an environment: enough for one on each server. */
const MAX_ACTIVE = 100;
/** How many ended tokens are listed: a nightly rotation leaves one a night. */
const ENDED_LISTED = 50;

/** The condition that a token works at the time in a parameter. */
const isActiveAt = (now: '$3') =>
  `(deactivated_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}::timestamptz))`;

/** Tells every process with cached tokens to look again, once the change commits. */
export const NOTIFY_TOKEN_CHANGED = `pg_notify('token_changed', '')`;

/** A token in lists; its text is stored nowhere. Times in milliseconds. */
export type TokenSummary = {
  id: string;
  environment: Environment;
  name: string;
  prefix: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  /** The endpoint, e.g. `/invoice/create`; null if that was not written yet. */
  lastUsedFor: string | null;
  /** An address; null for an unknown one. */
  lastUsedFrom: string | null;
  expiresAtMs: number | null;
  deactivatedAtMs: number | null;
  isActive: boolean;
  scopes: Scope[];
  /** Those from which alone it works; none for everywhere. */
  networks: string[];
};

/**
 * Reserves a place for one more token until the transaction ends: the second of two concurrent
 * callers sees what the first made.
 *
 * @throws GatewayError `not_found` for an unknown merchant, `conflict` where there are too many
 */
export async function holdTokenPlace(
  db: Queryable,
  place: { merchantId: string; environment: Environment; now: Date },
): Promise<void> {
  const { merchantId, environment, now } = place;
  const isKnown = await lockMerchant(db, merchantId);
  if (!isKnown) throw new GatewayError('merchant_unknown', { merchantId });
  const { rows } = await db.query<{ active: number }>(
    `SELECT count(*)::int AS active FROM api_tokens
     WHERE merchant_id = $1 AND environment = $2::environment AND ${isActiveAt('$3')}`,
    [merchantId, environment, now.toISOString()],
  );
  if ((rows[0]?.active ?? 0) >= MAX_ACTIVE) {
    throw new GatewayError('too_many_tokens', { most: MAX_ACTIVE });
  }
}

/**
 * Makes a token. Its text (`gw_sandbox_…`, `gw_production_…`) exists only in the answer.
 *
 * @param token.networks as `checkNetworks` gives them
 */
export async function createToken(
  db: Queryable,
  token: {
    merchantId: string;
    environment: Environment;
    name: string;
    expiresAt?: Date | null;
    scopes?: readonly Scope[];
    networks?: readonly string[];
    now: Date;
  },
): Promise<{ id: string; token: string; prefix: string }> {
  const id = newId('tok', token.now.getTime());
  const start = `gw_${token.environment}_`;
  const text = start + randomText(RANDOM_LENGTH);
  const prefix = text.slice(0, start.length + VISIBLE_LENGTH);
  await db.query(
    `WITH created AS (
       INSERT INTO api_tokens
         (id, merchant_id, environment, name, prefix, token_hash, created_at, expires_at, scopes,
          networks)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id)
     SELECT ${NOTIFY_TOKEN_CHANGED} FROM created`,
    [
      id,
      token.merchantId,
      token.environment,
      token.name,
      prefix,
      hashToken(text),
      token.now.toISOString(),
      token.expiresAt?.toISOString() ?? null,
      token.scopes ?? DEFAULT_SCOPES,
      token.networks ?? [],
    ],
  );
  return { id, token: text, prefix };
}

/** A good token's owner, its expiry, what it may do and from where. */
type ActiveToken = {
  tokenId: string;
  merchantId: string;
  environment: Environment;
  expiresAtMs: number | null;
  scopes: Scope[];
  networks: string[];
};

type ActiveTokenRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  expires_at: Date | null;
  scopes: Scope[];
  networks: string[];
};

/**
 * Finds a token's owner in one statement.
 *
 * @returns null when it is unknown, deactivated or expired, or its merchant is suspended
 */
export async function findActiveToken(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<ActiveToken | null> {
  const { rows } = await db.query<ActiveTokenRow>({
    name: 'find_active_token',
    text: `SELECT t.id, t.merchant_id, t.environment, t.expires_at, t.scopes, t.networks
           FROM api_tokens t JOIN merchants m ON m.id = t.merchant_id
           WHERE t.token_hash = $1::bytea AND t.deactivated_at IS NULL AND m.status = 'active'
             AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz)`,
    values: [tokenHash, now.toISOString()],
  });
  const row = rows[0];
  if (!row) return null;
  const { id: tokenId, merchant_id: merchantId, environment, scopes, networks } = row;
  const expiresAtMs = row.expires_at?.getTime() ?? null;
  return { tokenId, merchantId, environment, expiresAtMs, scopes, networks };
}

/** Ends a token for good. `unchanged`: it already was deactivated. */
export async function deactivateToken(
  db: Queryable,
  token: { merchantId: string; environment: Environment; tokenId: string; now: Date },
): Promise<'deactivated' | 'unchanged' | 'not_found'> {
  const { rows } = await db.query<{ found: boolean; changed: boolean }>(
    `WITH changed AS (
       UPDATE api_tokens SET deactivated_at = $4::timestamptz
       WHERE id = $1 AND merchant_id = $2 AND environment = $3::environment AND deactivated_at IS NULL
       RETURNING id
     ), told AS (SELECT ${NOTIFY_TOKEN_CHANGED} FROM changed)
     SELECT EXISTS (SELECT FROM told) AS changed,
            EXISTS (SELECT FROM api_tokens
                    WHERE id = $1 AND merchant_id = $2 AND environment = $3::environment) AS found`,
    [token.tokenId, token.merchantId, token.environment, token.now.toISOString()],
  );
  if (rows[0]?.changed) return 'deactivated';
  return rows[0]?.found ? 'unchanged' : 'not_found';
}

type SummaryRow = Pick<
  TokenSummary,
  'id' | 'environment' | 'name' | 'prefix' | 'lastUsedFor' | 'lastUsedFrom' | 'scopes' | 'networks'
> & {
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  deactivated_at: Date | null;
  is_active: boolean;
  /** The number of ended tokens, listed or not. */
  ended: number | null;
};

const SUMMARY = `
  id, environment, name, prefix, created_at, last_used_at, last_used_for AS "lastUsedFor",
  last_used_from AS "lastUsedFrom", expires_at, deactivated_at, scopes, networks`;
const OF_TENANT = 'merchant_id = $1 AND environment = $2::environment';

/**
 * A merchant's tokens in an environment: all working ones, the newest first, followed by the most
 * recently ended ones, the latest first.
 *
 * @returns `endedEarlier`: how many are not listed
 */
export async function listTokens(
  db: Queryable,
  asked: { merchantId: string; environment: Environment; now: Date },
): Promise<{ tokens: TokenSummary[]; endedEarlier: number }> {
  const { rows } = await db.query<SummaryRow>(
    `SELECT ${SUMMARY}, true AS is_active, NULL::int AS ended, created_at AS listed_by
     FROM api_tokens WHERE ${OF_TENANT} AND ${isActiveAt('$3')}
     UNION ALL (
       SELECT ${SUMMARY}, false, (count(*) OVER ())::int, least(deactivated_at, expires_at) AS ended_at
       FROM api_tokens WHERE ${OF_TENANT} AND NOT ${isActiveAt('$3')}
       ORDER BY ended_at DESC, id LIMIT ${ENDED_LISTED})
     ORDER BY is_active DESC, listed_by DESC, id`,
    [asked.merchantId, asked.environment, asked.now.toISOString()],
  );
  const tokens = rows.map((row) => ({
    id: row.id,
    environment: row.environment,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    networks: row.networks,
    createdAtMs: row.created_at.getTime(),
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    lastUsedFor: row.lastUsedFor,
    lastUsedFrom: row.lastUsedFrom,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    deactivatedAtMs: row.deactivated_at?.getTime() ?? null,
    isActive: row.is_active,
  }));
  const ended = rows.find(({ is_active: isActive }) => !isActive)?.ended ?? 0;
  return { tokens, endedEarlier: Math.max(0, ended - ENDED_LISTED) };
}

/** A token's merchant and environment by its id, or null: for the operator only. */
export async function findTokenPlace(
  db: Queryable,
  tokenId: string,
): Promise<{ merchantId: string; environment: Environment } | null> {
  const { rows } = await db.query<{ merchantId: string; environment: Environment }>(
    'SELECT merchant_id AS "merchantId", environment FROM api_tokens WHERE id = $1',
    [tokenId],
  );
  return rows[0] ?? null;
}
