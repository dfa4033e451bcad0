import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { replaceSigningSecret } from './signing-secrets.ts';
import type { Tenant } from './types.ts';

/**
 * Rotates the secret that callbacks are signed with and writes the audit log in the
 * same transaction.
 *
 * @param overlapMs how long the one before signs as well
 * @returns the new secret's text, `whsec_…`, shown once
 */
export async function rotateSecretByStaff(
  pool: Pool,
  { merchantId, environment }: Tenant,
  { overlapMs, actor, now }: { overlapMs: number; actor: AuditActor; now: Date },
): Promise<string> {
  return await inTransaction(pool, async (db) => {
    const secret = await replaceSigningSecret(db, { merchantId, environment, overlapMs, now });
    await recordAudit(db, {
      actor,
      now,
      action: 'signing_secret.rotate',
      merchantId,
      environment,
      details: { overlapMs },
    });
    return secret;
  });
}
