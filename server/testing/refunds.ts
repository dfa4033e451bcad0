import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import type { NewInvoice } from '../invoices/types.ts';
import type { Tenant } from '../merchants/types.ts';
import { payInvoice } from '../payments/pay.ts';
import { createTestInvoice } from './invoices.ts';
import { cardWith } from './payments.ts';

/** An invoice that a buyer has paid by the sandbox's card form; 15.00 USD unless it is told. */
export async function createPaidInvoice(
  pool: Pool,
  tenant: Tenant,
  { now, ...overrides }: Partial<NewInvoice> & { now: Date },
): Promise<string> {
  const endDateMs = now.getTime() + 3_600_000;
  const invoiceId = await createTestInvoice(pool, tenant, { now, endDateMs, ...overrides });
  const paid = await payInvoice(pool, invoiceId, cardWith('4242424242424242'), {
    clock: () => now,
    actor: { type: 'buyer' },
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  if (paid.outcome !== 'attempted' || paid.attempt.status !== 'captured') {
    throw new Error(`${invoiceId} was not paid`);
  }
  return invoiceId;
}

/**
 * Compares the sandbox's ledger with refunds and invoices, to the unit: a SUCCEEDED refund has one
 * entry of its amount, a FAILED one none, and an invoice's sum is that of its refunds that have not
 * failed.
 *
 * @returns the ids for which they disagree
 */
export async function refundBooksDisagree(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT r.id FROM refunds r
     LEFT JOIN sandbox_refunds s ON s.id = r.id
     LEFT JOIN sandbox_ledger_entries e ON e.refund_id = s.id AND e.kind = 'refund'
     LEFT JOIN sandbox_ledger_entries c ON c.authorisation_id = s.authorisation_id AND c.kind = 'capture'
     LEFT JOIN payment_attempts p ON p.authorisation_id = c.authorisation_id
     WHERE r.account_id IS NULL AND CASE r.status
       WHEN 'SUCCEEDED' THEN e.amount_minor IS DISTINCT FROM r.amount_minor
         OR e.currency IS DISTINCT FROM r.currency OR p.invoice_id IS DISTINCT FROM r.invoice_id
       WHEN 'FAILED' THEN e.id IS NOT NULL ELSE false END
     UNION ALL
     SELECT s.id FROM sandbox_refunds s WHERE NOT EXISTS (SELECT FROM refunds r WHERE r.id = s.id)
     UNION ALL
     SELECT i.id FROM invoices i
     WHERE i.refunded_minor <> (SELECT coalesce(sum(r.amount_minor), 0) FROM refunds r
       WHERE r.invoice_id = i.id AND r.status <> 'FAILED')
     ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}
