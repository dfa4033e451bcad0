import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { metrics } from '../observability/metrics.ts';
import { toStatusView } from './rows.ts';
import { findStatusRow } from './status-rows.ts';
import { transition, transitionDue } from './transition.ts';
import type { Actor, InvoiceStatus, InvoiceStatusView } from './types.ts';

/**
 * The rows of one statement of the sweep: beside sets of 500, requests wait nearly half as long
 * again at p99, and sets of 100 take a fifth longer in all.
 */
export const EXPIRY_SET = 200;

/**
 * Expires up to `limit` PENDING invoices past their end date. Invoices with a capture in flight
 * wait for its outcome.
 */
export async function expireDueInvoices(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ expired: number }> {
  const expired = await transitionDue(db, { actor: { type: 'clock' }, now, limit });
  metrics().expired.inc(expired);
  return { expired };
}

export type ExpireNowOutcome =
  | { outcome: 'expired'; view: InvoiceStatusView }
  | { outcome: 'not_found' }
  | { outcome: 'final'; status: Exclude<InvoiceStatus, 'PENDING'>; view: InvoiceStatusView }
  | { outcome: 'payment_in_progress' };

/**
 * Expires one invoice before its time, for the sandbox's test endpoint: the clock's transition
 * without the time guard. `end_date` does not change.
 */
export async function expireInvoiceNow(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<ExpireNowOutcome> {
  if (tenant.environment !== 'sandbox') throw new Error('only sandbox invoices expire on demand');
  const event = { trigger: 'expire', beforeEnd: true } as const;
  const expired = await transition(db, { invoiceId, tenant }, event, { actor, now });
  if (expired) return { outcome: 'expired', view: toStatusView(expired) };

  const row = await findStatusRow(db, tenant, { invoiceId });
  if (!row) return { outcome: 'not_found' };
  if (row.status === 'PENDING') return { outcome: 'payment_in_progress' };
  if (row.status === 'EXPIRED') return { outcome: 'expired', view: toStatusView(row) };
  return { outcome: 'final', status: row.status, view: toStatusView(row) };
}
