import type { Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Tenant } from '../merchants/types.ts';
import { readStatusBy } from './data.ts';
import { toStatusView } from './rows.ts';
import { type InvoiceSteps, stepsOn } from './steps.ts';
import type { Actor, InvoiceStatusView } from './types.ts';

export type CancelOutcome =
  /** Cancelled by this call or an earlier one: a retry after a lost answer is safe. */
  | { outcome: 'canceled'; isNew: boolean; view: InvoiceStatusView }
  | { outcome: 'not_found' }
  | { outcome: 'final'; status: 'PAID' | 'EXPIRED'; view: InvoiceStatusView }
  /** A capture is in flight; it ends within seconds. */
  | { outcome: 'payment_in_progress' };

// The guard can refuse for a reason that is gone when it is read (a capture that failed in
// between); then the cancel is tried again.
const TRIES = 3;

/**
 * Cancels a PENDING invoice of the tenant: one round trip when it is PENDING.
 *
 * @throws GatewayError `unavailable` when it is past its end only by a clock known to be wrong
 */
export function cancelInvoice(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
  context: { actor: Actor; now: Date },
): Promise<CancelOutcome> {
  return cancelInvoiceBy(stepsOn(db), tenant, invoiceId, context);
}

/** `cancelInvoice` by steps that concurrent callers may share. */
export async function cancelInvoiceBy(
  steps: InvoiceSteps,
  tenant: Tenant,
  invoiceId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<CancelOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const canceled = await steps.cancel({ invoiceId, tenant, actor, now });
    if (canceled) return { outcome: 'canceled', isNew: true, view: toStatusView(canceled) };

    const row = await steps.findStatusRow(tenant, { invoiceId });
    if (!row) return { outcome: 'not_found' };
    if (row.status === 'PENDING' && row.capturing) return { outcome: 'payment_in_progress' };
    const { requestId } = actor;
    const reading = readStatusBy(steps, tenant, { invoiceId }, { now, requestId });
    const view = await reading;
    if (!view) return { outcome: 'not_found' };
    if (view.status === 'CANCELED') return { outcome: 'canceled', isNew: false, view };
    if (view.status !== 'PENDING') return { outcome: 'final', status: view.status, view };
  }
  // No payment is under way: the invoice is past its end, but only by a clock that is known to be
  // wrong, so that no read ends it.
  throw new GatewayError('invoice_not_cancelled_now');
}
