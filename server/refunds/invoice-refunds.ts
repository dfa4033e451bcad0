import type { Queryable } from '../db/pool.ts';
import type { Invoice } from '../invoices/types.ts';
import type { Tenant } from '../merchants/types.ts';
import { listRefundAuthors, listRefunds, type RefundAuthor } from './data.ts';
import type { InvoiceRefunds, Refund } from './types.ts';

/** A refund with who asked for it; null for one that began at the acquirer. */
export type RefundView = Refund & { author: RefundAuthor | null };

/** An invoice's refunds as staff see them. */
export type InvoiceRefundsView = Omit<InvoiceRefunds, 'refunds'> & { refunds: RefundView[] };

/** The refunds of a PAID invoice, the oldest first; null for any other. */
export async function readInvoiceRefunds(
  db: Queryable,
  tenant: Tenant,
  { id, status }: Pick<Invoice, 'id' | 'status'>,
): Promise<InvoiceRefundsView | null> {
  const found = status === 'PAID' ? await listRefunds(db, tenant, id) : null;
  if (!found) return null;
  const authors = found.refunds.length > 0 ? await listRefundAuthors(db, id) : {};
  return {
    ...found,
    refunds: found.refunds.map((each) => ({ ...each, author: authors[each.id] ?? null })),
  };
}
