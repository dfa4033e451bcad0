import type pg from 'pg';
import { countTry } from '../auth/throttle.ts';
import { GatewayError } from '../lib/errors.ts';
import { recordExport } from '../merchants/record-export.ts';
import type { Tenant } from '../merchants/types.ts';

// More than anybody reads. Each export is an entry of the audit log, which is kept: somebody with
// only read access could bury others' entries under them.
const EXPORT_LIMIT = { max: 60, windowMs: 10 * 60 * 1000 };

type Taken = Parameters<typeof recordExport>[2] & { actor: { id: string } };

/**
 * Records in the audit log that somebody exports a list.
 *
 * @throws GatewayError `rate_limited` after too many exports by that person
 */
export async function noteExport(db: pg.Pool, tenant: Tenant, taken: Taken): Promise<void> {
  if (!(await countTry(db, `exports ${taken.actor.id}`, EXPORT_LIMIT, taken.now))) {
    throw new GatewayError('too_many_exports');
  }
  await recordExport(db, tenant, taken);
}
