import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { isZone } from '../lib/formats.ts';
import { newId } from '../lib/ids.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { inviteToSetPassword } from '../staff/password-link.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { checkNetworks } from './networks.ts';
import { createSigningSecret } from './signing-secrets.ts';
import { createToken, deactivateToken, holdTokenPlace, NOTIFY_TOKEN_CHANGED } from './tokens.ts';
import { DEFAULT_TIME_ZONE, type Environment, type PasswordLink, type Scope } from './types.ts';

/** A merchant's credentials, shown once. */
export type Credentials = { apiToken: string; webhookSecret: string };

export type NewMerchant = {
  merchantId: string;
  name: string;
  /** `link` is null if the account is already in use or was given a password. */
  owner: { userId: string; email: string; link: PasswordLink | null };
} & Record<Environment, Credentials>;

const MAX_NAME_LENGTH = 200;

// With Unicode's line and paragraph separators, and characters that reverse later text.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const ADDRESS = /:\/\/|www\.|@/i;

/** A stored name: trimmed, 1 to 200 characters on one line, without control characters. */
export function checkName(
  name: string,
  code:
    | 'merchant_name_invalid'
    | 'token_name_invalid'
    | 'acquirer_name_invalid'
    | 'legal_name_invalid'
    | 'legal_address_invalid',
): string {
  const trimmed = name.trim();
  if (trimmed.length === 0 || [...trimmed].length > MAX_NAME_LENGTH || CONTROL.test(trimmed)) {
    throw new GatewayError(code, { most: MAX_NAME_LENGTH });
  }
  return trimmed;
}

/** A text that buyers read in e-mails: a name without an address, which programs turn into a link. */
export function checkPlainName(
  text: string,
  code: 'legal_name_invalid' | 'legal_address_invalid',
): string {
  const checked = checkName(text, code);
  if (ADDRESS.test(checked)) throw new GatewayError(code, { most: MAX_NAME_LENGTH });
  return checked;
}

/**
 * A merchant's stored name. It appears in subjects of e-mails that anybody may be sent, and mail
 * programs turn addresses into links, so it contains none.
 *
 * @throws GatewayError `validation`
 */
export function checkMerchantName(name: string): string {
  const checked = checkName(name, 'merchant_name_invalid');
  if (ADDRESS.test(checked)) {
    throw new GatewayError('merchant_name_is_address');
  }
  return checked;
}

/**
 * A merchant's time zone, which dates its receipts.
 *
 * @throws GatewayError `validation` for an unknown zone
 */
export function checkTimeZone(timeZone: string): string {
  if (!isZone(timeZone)) throw new GatewayError('time_zone_not_found');
  return timeZone;
}

async function createCredentials(
  db: Queryable,
  owner: { merchantId: string; environment: Environment; now: Date },
): Promise<Credentials> {
  const { token } = await createToken(db, { ...owner, name: 'First token' });
  return { apiToken: token, webhookSecret: await createSigningSecret(db, owner) };
}

/**
 * Makes a merchant with its owner, and a token and a signing secret for each environment, in one
 * transaction.
 *
 * @param merchant.ownerPassword for a new account whose person cannot set one
 * @param merchant.timeZone IANA name, else `DEFAULT_TIME_ZONE`
 * @throws GatewayError `validation` for a bad name, zone or address, `conflict` for a disabled
 * owner
 */
export async function createMerchant(
  pool: pg.Pool,
  merchant: {
    name: string;
    ownerEmail: string;
    ownerPassword?: string;
    timeZone?: string;
    actor: AuditActor;
    now: Date;
  },
): Promise<NewMerchant> {
  const { actor, now, ownerEmail: email, ownerPassword: password } = merchant;
  const name = checkMerchantName(merchant.name);
  const timeZone = checkTimeZone(merchant.timeZone ?? DEFAULT_TIME_ZONE);
  const merchantId = newId('mer', now.getTime());
  return await inTransaction(pool, async (db) => {
    await db.query(
      'INSERT INTO merchants (id, name, time_zone, created_at) VALUES ($1, $2, $3, $4)',
      [merchantId, name, timeZone, now.toISOString()],
    );
    const user = await findOrCreateUser(db, { email, password, now });
    await setMember(db, { merchantId, userId: user.id, role: 'owner', now });
    const sandbox = await createCredentials(db, { merchantId, environment: 'sandbox', now });
    const production = await createCredentials(db, { merchantId, environment: 'production', now });
    await recordAudit(db, {
      actor,
      now,
      action: 'merchant.create',
      merchantId,
      target: { type: 'merchant', id: merchantId },
      details: { name, owner: user.email },
    });
    const link = await inviteToSetPassword(db, { user, actor, now });
    const owner = { userId: user.id, email: user.email, link };
    return { merchantId, name, owner, sandbox, production };
  });
}

/**
 * Suspends a merchant (its tokens answer 401 from then on) or reactivates it. Payments under way
 * and due callbacks go on.
 *
 * @returns `unchanged` when it already was in that state
 */
export async function setMerchantStatus(
  pool: pg.Pool,
  change: {
    merchantId: string;
    status: 'active' | 'suspended';
    actor: AuditActor;
    now: Date;
  },
): Promise<'changed' | 'unchanged' | 'not_found'> {
  const { merchantId, status, actor, now } = change;
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `WITH changed AS (
         UPDATE merchants
         SET status = $2::merchant_status,
             suspended_at = CASE WHEN $2::merchant_status = 'suspended' THEN $3::timestamptz END
         WHERE id = $1 AND status <> $2::merchant_status RETURNING id)
       SELECT ${NOTIFY_TOKEN_CHANGED} FROM changed`,
      [merchantId, status, now.toISOString()],
    );
    if (rowCount !== 1) {
      const { rowCount: known } = await db.query('SELECT FROM merchants WHERE id = $1', [
        merchantId,
      ]);
      return known === 1 ? 'unchanged' : 'not_found';
    }
    await recordAudit(db, {
      actor,
      now,
      action: status === 'suspended' ? 'merchant.suspend' : 'merchant.resume',
      merchantId,
      target: { type: 'merchant', id: merchantId },
    });
    return 'changed';
  });
}

/**
 * Makes a token for a merchant and writes the audit log.
 *
 * @returns the token's text, shown once
 * @throws GatewayError `not_found` for an unknown merchant, `validation` for a bad name or network,
 *   `conflict` for too many working tokens
 */
export async function issueToken(
  pool: pg.Pool,
  request: {
    merchantId: string;
    environment: Environment;
    name: string;
    expiresAt?: Date | null;
    scopes?: readonly Scope[];
    networks?: readonly string[];
    actor: AuditActor;
    now: Date;
  },
): Promise<{ id: string; token: string; prefix: string }> {
  const { actor, ...token } = request;
  const name = checkName(token.name, 'token_name_invalid');
  const networks = checkNetworks(token.networks ?? []);
  return await inTransaction(pool, async (db) => {
    await holdTokenPlace(db, token);
    const created = await createToken(db, { ...token, name, networks });
    await recordAudit(db, {
      actor,
      now: token.now,
      action: 'token.create',
      merchantId: token.merchantId,
      environment: token.environment,
      target: { type: 'token', id: created.id },
      details: { name, prefix: created.prefix },
    });
    return created;
  });
}

/** Ends a token for good and writes the audit log. */
export async function withdrawToken(
  pool: pg.Pool,
  request: {
    merchantId: string;
    environment: Environment;
    tokenId: string;
    actor: AuditActor;
    now: Date;
  },
): Promise<'deactivated' | 'unchanged' | 'not_found'> {
  const { merchantId, environment, tokenId, actor, now } = request;
  return await inTransaction(pool, async (db) => {
    const outcome = await deactivateToken(db, { merchantId, environment, tokenId, now });
    if (outcome !== 'deactivated') return outcome;
    const { rows } = await db.query<{ name: string; prefix: string }>(
      'SELECT name, prefix FROM api_tokens WHERE id = $1',
      [tokenId],
    );
    const [token] = rows;
    if (!token) throw new Error('a token vanished while it was being ended');
    const { name, prefix } = token;
    await recordAudit(db, {
      actor,
      now,
      action: 'token.deactivate',
      merchantId,
      environment,
      target: { type: 'token', id: tokenId },
      details: { name, prefix },
    });
    return outcome;
  });
}
