import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { lockMerchant } from './lock.ts';
import { listSigningSecrets, replaceSigningSecret } from './signing-secrets.ts';
import type { Tenant } from './types.ts';

/**
 * A further rotation ends at once the secret that is on its way out, which may be the only one
 * that servers verify with: the new one's text may have been lost with the answer.
 */
async function assertMayEnd(
  db: Queryable,
  tenant: Tenant,
  { endsSecretId, now }: { endsSecretId: string | null; now: Date },
): Promise<void> {
  const secrets = await listSigningSecrets(db, tenant, now);
  const leaving = secrets.find(({ expiresAtMs }) => expiresAtMs !== null);
  if (leaving && leaving.id !== endsSecretId) {
    throw new GatewayError('earlier_secret_signs');
  }
}

/**
 * Rotates the secret that callbacks are signed with and writes the audit log in the
 * same transaction.
 *
 * @param endsSecretId the secret on its way out that may end at once
 * @param overlapMs how long the one before signs as well
 * @returns the new secret's text, `whsec_…`, shown once
 * @throws GatewayError `conflict` while another one is on its way out
 */
export async function rotateSecretByStaff(
  pool: Pool,
  tenant: Tenant,
  rotation: { endsSecretId: string | null; overlapMs: number; actor: AuditActor; now: Date },
): Promise<string> {
  const { merchantId, environment } = tenant;
  const { overlapMs, actor, now } = rotation;
  return await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    await assertMayEnd(db, tenant, rotation);
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
