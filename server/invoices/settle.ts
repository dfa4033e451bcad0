import type { Queryable } from '../db/pool.ts';
import { toInvoice } from './rows.ts';
import { transition } from './transition.ts';
import type { Actor, Invoice } from './types.ts';

/**
 * Makes an invoice PAID after its capture. Only the attempt that holds the claim
 * to capture can; done twice, the second changes nothing.
 *
 * @param extraData the callback's `extra_data` as an object of strings
 * @returns the invoice when this call made it PAID, else null
 */
export async function settleInvoice(
  db: Queryable,
  payment: { invoiceId: string; attemptId: string; extraData: Record<string, string> },
  context: { actor: Actor; now: Date },
): Promise<Invoice | null> {
  const row = await transition(
    db,
    { invoiceId: payment.invoiceId, tenant: null },
    {
      trigger: 'pay',
      attemptId: payment.attemptId,
      extraData: JSON.stringify(payment.extraData),
    },
    context,
  );
  return row && toInvoice(row);
}
