import type { Queryable } from '../db/pool.ts';
import { transition } from './transition.ts';
import type { Actor } from './types.ts';

/**
 * Makes an invoice PAID after its capture. Only the attempt with the claim to capture can; a second
 * call changes nothing.
 *
 * @param extraData the callback's `extra_data` as an object of strings
 * @returns whether this call made it PAID
 */
export async function settleInvoice(
  db: Queryable,
  payment: { invoiceId: string; attemptId: string; extraData: Record<string, string> },
  context: { actor: Actor; now: Date },
): Promise<boolean> {
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
  return row !== null;
}
