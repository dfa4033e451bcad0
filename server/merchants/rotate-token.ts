import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { createToken, holdTokenPlace } from './tokens.ts';
import type { Scope, Tenant } from './types.ts';

type Found = {
  name: string;
  created_at: Date;
  expires_at: Date | null;
  scopes: Scope[];
  networks: string[];
};

/** A token that was made for 90 days is followed by one for 90 days. */
function lifetimeMs({ created_at, expires_at }: Found): number | null {
  return expires_at === null ? null : expires_at.getTime() - created_at.getTime();
}

/** A rotated token's end comes from the overlap, so it does not tell the successor's lifetime. */
async function wasRotated(db: Queryable, merchantId: string, tokenId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM audit_log WHERE target_id = $1 AND merchant_id = $2
       AND target_type = 'token' AND action = 'token.rotate' LIMIT 1`,
    [tokenId, merchantId],
  );
  return rowCount !== 0;
}

/**
 * Makes a token that follows another, with its name, lifetime, scopes and networks; the other keeps
 * working for `overlapMs`, so that servers can change over. Writes the audit log.
 *
 * @returns the new token's text, shown once
 * @throws GatewayError `not_found` for a token that is not the tenant's or no longer works,
 *   `conflict` for one that was rotated before (even by a second press) or ends in the overlap,
 *   and for too many working tokens
 */
export async function rotateTokenByStaff(
  pool: Pool,
  { merchantId, environment }: Tenant,
  request: { tokenId: string; overlapMs: number; actor: AuditActor; now: Date },
): Promise<{ id: string; token: string; prefix: string }> {
  const { tokenId, overlapMs, actor, now } = request;
  const endsAt = new Date(now.getTime() + overlapMs);
  return await inTransaction(pool, async (db) => {
    // The row is locked, so the second of two concurrent rotations sees the first.
    const { rows } = await db.query<Found>(
      `SELECT name, created_at, expires_at, scopes, networks FROM api_tokens
       WHERE id = $1 AND merchant_id = $2 AND environment = $3::environment
         AND deactivated_at IS NULL AND (expires_at IS NULL OR expires_at > $4::timestamptz)
       FOR UPDATE`,
      [tokenId, merchantId, environment, now.toISOString()],
    );
    const [found] = rows;
    if (!found) throw new GatewayError('token_ended');
    if (await wasRotated(db, merchantId, tokenId)) {
      throw new GatewayError('token_rotated');
    }
    if (found.expires_at !== null && found.expires_at <= endsAt) {
      throw new GatewayError('token_ends_anyway');
    }
    await db.query('UPDATE api_tokens SET expires_at = $2::timestamptz WHERE id = $1', [
      tokenId,
      endsAt.toISOString(),
    ]);
    // The new token takes the place of one that ends at once.
    if (overlapMs > 0) await holdTokenPlace(db, { merchantId, environment, now });
    const lifetime = lifetimeMs(found);
    const created = await createToken(db, {
      merchantId,
      environment,
      name: found.name,
      scopes: found.scopes,
      networks: found.networks,
      expiresAt: lifetime === null ? null : new Date(now.getTime() + lifetime),
      now,
    });
    await recordAudit(db, {
      actor,
      now,
      action: 'token.rotate',
      merchantId,
      environment,
      target: { type: 'token', id: tokenId },
      details: { name: found.name, overlapMs, newToken: created.id, prefix: created.prefix },
    });
    return created;
  });
}
