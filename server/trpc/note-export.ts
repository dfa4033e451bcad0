import type pg from 'pg';
import { countTry } from '../auth/throttle.ts';
import { GatewayError } from '../lib/errors.ts';
import { recordExport } from '../merchants/record-export.ts';
import type { Tenant } from '../merchants/types.ts';

// Beyond what anybody reads. Each is an entry of the audit log, which is kept: whoever may only look
// could bury in it what somebody else has done.
const EXPORT_LIMIT = { max: 60, windowMs: 10 * 60 * 1000 };

type Taken = Parameters<typeof recordExport>[2] & { actor: { id: string } };

/**
 * Tells the audit log that somebody takes a list as a file.
 *
 * @throws GatewayError `rate_limited` after too many of theirs
 */
export async function noteExport(db: pg.Pool, tenant: Tenant, taken: Taken): Promise<void> {
  if (!(await countTry(db, `exports ${taken.actor.id}`, EXPORT_LIMIT, taken.now))) {
    throw new GatewayError('too_many_exports');
  }
  await recordExport(db, tenant, taken);
}
