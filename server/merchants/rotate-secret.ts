import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { lockMerchant } from './lock.ts';
import { listSigningSecrets, replaceSigningSecret } from './signing-secrets.ts';
import type { Tenant } from './types.ts';

/**
 * A further rotation ends the expiring secret at once. It may be the only one that servers verify
 * with, because the new one's text may have been lost with its answer.
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
 * Rotates the signing secret of callbacks and writes the audit log in the same transaction.
 *
 * @param endsSecretId the expiring secret that may end at once
 * @param overlapMs how long the previous secret signs as well
 * @returns the new secret's text, `whsec_…`, shown once
 * @throws GatewayError `conflict` while another secret is expiring
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
