import type { Queryable } from '../db/pool.ts';
import { type AuditActor, type AuditEntry, recordAudit } from './audit.ts';
import type { Tenant } from './types.ts';

/** A list's filter at its export; times as `…Ms`. */
type Narrowing = Record<string, string | number | readonly string[] | null>;

/** Leaves out empty filters; times become texts, as in other entries. */
function detailsOf(narrowing: Narrowing): AuditEntry['details'] {
  const given = Object.entries(narrowing).filter(
    (entry): entry is [string, string | number | readonly string[]] =>
      entry[1] !== null && (typeof entry[1] === 'number' || entry[1].length > 0),
  );
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (typeof value === 'number' && name.endsWith('Ms')) {
        return [name.slice(0, -'Ms'.length), new Date(value).toISOString()];
      }
      return [name, typeof value === 'object' ? value.join(',') : value];
    }),
  );
}

/**
 * Records in the audit log that a list is exported, with its filter. Called before the file is
 * sent, so that no file leaves without its entry.
 */
export async function recordExport(
  db: Queryable,
  tenant: Tenant,
  taken: {
    action: 'invoice.export' | 'audit.export' | 'register.export';
    narrowing: Narrowing;
    actor: AuditActor;
    now: Date;
  },
): Promise<void> {
  const { action, narrowing, actor, now } = taken;
  const target = { type: 'merchant', id: tenant.merchantId };
  await recordAudit(db, { actor, now, action, ...tenant, target, details: detailsOf(narrowing) });
}
