import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/pool.ts';
import { SEAL_CONTEXTS, seal, unseal } from '../lib/encrypt.ts';
import { newId } from '../lib/ids.ts';
import { log } from '../observability/log.ts';
import { settings } from '../settings/settings.ts';
import type { Environment } from './types.ts';

// Standard Webhooks: `whsec_` and the key in base64, 24 to 64 bytes.
const SECRET_BYTES = 32;

type Owner = { merchantId: string; environment: Environment };

const contextOf = ({ merchantId, environment }: Owner) =>
  SEAL_CONTEXTS.signingSecret(merchantId, environment);

type SealedSecret = { id: string; sealed: Buffer };

// Each is reported once: secrets are read again for every burst of callbacks.
const told = new Set<string>();

/** The texts of the secrets that open; one that does not must not fail the others. */
function openEach<R extends SealedSecret>(rows: R[], owner: Owner): (R & { secret: string })[] {
  const { openingKeys } = settings();
  return rows.flatMap((row) => {
    try {
      return [{ ...row, secret: unseal(openingKeys, row.sealed, contextOf(owner)) }];
    } catch (error) {
      if (!told.has(row.id)) {
        told.add(row.id);
        const { merchantId, environment } = owner;
        const about = { err: error, merchantId, environment, secretId: row.id };
        log().error(about, 'a signing secret does not open, so that nothing carries its signature');
      }
      return [];
    }
  });
}

/**
 * The current signing secrets of callbacks, newest first: one, or two during a rotation. If one of
 * two does not open, it is left out: a receiver accepts a callback signed by either, and an unsent
 * one helps nobody.
 *
 * @throws Error when SECRETS_KEY opens none of the existing ones
 */
export async function activeSigningSecrets(
  db: Queryable,
  merchantId: string,
  environment: Environment,
  now: Date,
): Promise<string[]> {
  const { rows } = await db.query<SealedSecret>({
    name: 'active_signing_secrets',
    text: `SELECT id, sealed FROM signing_secrets
           WHERE merchant_id = $1 AND environment = $2::environment
             AND (expires_at IS NULL OR expires_at > $3::timestamptz)
           ORDER BY created_at DESC, id DESC LIMIT 2`,
    values: [merchantId, environment, now.toISOString()],
  });
  const opened = openEach(rows, { merchantId, environment });
  if (opened.length === 0 && rows.length > 0) {
    throw new Error(`SECRETS_KEY opens no signing secret of ${merchantId} in ${environment}.`);
  }
  return opened.map(({ secret }) => secret);
}

/** A secret's text and when it signed: from its creation until its withdrawal. */
export type DatedSecret = { secret: string; createdAt: Date; expiresAt: Date | null };

/** All secrets that ever signed an owner's callbacks, newest first, if they still open. */
export async function datedSigningSecrets(db: Queryable, owner: Owner): Promise<DatedSecret[]> {
  const { rows } = await db.query<SealedSecret & { created_at: Date; expires_at: Date | null }>(
    `SELECT id, sealed, created_at, expires_at FROM signing_secrets
     WHERE merchant_id = $1 AND environment = $2::environment
     ORDER BY created_at DESC, id DESC LIMIT 100`,
    [owner.merchantId, owner.environment],
  );
  return openEach(rows, owner).map((row) => ({
    secret: row.secret,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

/** When the current signing secrets were made and end, newest first; times in milliseconds. */
export async function listSigningSecrets(
  db: Queryable,
  owner: Owner,
  now: Date,
): Promise<{ id: string; createdAtMs: number; expiresAtMs: number | null }[]> {
  const { rows } = await db.query<{ id: string; created_at: Date; expires_at: Date | null }>(
    `SELECT id, created_at, expires_at FROM signing_secrets
     WHERE merchant_id = $1 AND environment = $2::environment
       AND (expires_at IS NULL OR expires_at > $3::timestamptz)
     ORDER BY created_at DESC, id DESC`,
    [owner.merchantId, owner.environment, now.toISOString()],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
  }));
}

/** Makes a secret beside the existing ones. @returns its text, `whsec_…` */
export async function createSigningSecret(
  db: Queryable,
  { now, ...owner }: Owner & { now: Date },
): Promise<string> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const sealed = seal(settings().secretsKey, secret, contextOf(owner));
  await db.query(
    `INSERT INTO signing_secrets (id, merchant_id, environment, sealed, created_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [newId('sec', now.getTime()), owner.merchantId, owner.environment, sealed, now.toISOString()],
  );
  return secret;
}

/**
 * Makes a new secret. The previous one signs as well until `overlapMs` from now, and one that was
 * already expiring ends at once, so that there are never three. Call it in a transaction that holds
 * `lockMerchant`.
 *
 * @returns the new secret's text, `whsec_…`
 */
export async function replaceSigningSecret(
  db: Queryable,
  { now, overlapMs, ...owner }: Owner & { now: Date; overlapMs: number },
): Promise<string> {
  await db.query(
    `UPDATE signing_secrets
     SET expires_at = CASE WHEN expires_at IS NULL THEN $4::timestamptz ELSE $3::timestamptz END
     WHERE merchant_id = $1 AND environment = $2::environment
       AND (expires_at IS NULL OR expires_at > $3::timestamptz)`,
    [
      owner.merchantId,
      owner.environment,
      now.toISOString(),
      new Date(now.getTime() + overlapMs).toISOString(),
    ],
  );
  return await createSigningSecret(db, { ...owner, now });
}
