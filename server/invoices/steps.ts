import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { findStatusRow, type StatusRow } from './status-rows.ts';
import { type ChangedRow, type TransitionRow, transition } from './transition.ts';
import type { InvoiceReference } from './types.ts';

/**
 * The steps of reading a status and of cancelling, one statement each. Each call sends its own, or
 * concurrent calls share one: the answers are the same.
 */
export type InvoiceSteps = {
  findStatusRow(tenant: Tenant, reference: InvoiceReference): Promise<StatusRow | null>;
  /** The changed invoice, or null when the guard refused. */
  cancel(row: TransitionRow): Promise<ChangedRow | null>;
  expire(row: TransitionRow): Promise<ChangedRow | null>;
};

/** Each step sends its own statement. */
export function stepsOn(db: Queryable): InvoiceSteps {
  return {
    findStatusRow: (tenant, reference) => findStatusRow(db, tenant, reference),
    cancel: (row) => transition(db, row, { trigger: 'cancel' }, row),
    expire: (row) => transition(db, row, { trigger: 'expire' }, row),
  };
}
