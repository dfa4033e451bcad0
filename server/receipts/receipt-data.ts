import type { Queryable } from '../db/pool.ts';
import { readInvoiceForBuyer } from '../invoices/data.ts';
import { accountNames } from '../merchants/acquirer-accounts.ts';
import { readStorefront } from '../merchants/storefront.ts';
import { listAttempts } from '../payments/data.ts';
import { findFiscalUrl } from '../payments/holds/acquirer-transactions.ts';
import { listRefundsForBuyer } from '../refunds/data.ts';
import type { ReceiptData } from './receipt-content.ts';

/** What the receipt of an invoice is made of; null where there is no such invoice. */
export async function readReceiptData(
  db: Queryable,
  invoiceId: string,
  now: Date,
): Promise<ReceiptData | null> {
  const invoice = await readInvoiceForBuyer(db, invoiceId, { now });
  const merchant = invoice && (await readStorefront(db, invoice.merchantId));
  if (!invoice || !merchant) return null;
  const attempts = await listAttempts(db, invoiceId);
  const paidBy = attempts.find(({ id }) => id === invoice.captureAttemptId);
  const accountId = paidBy?.accountId ?? null;
  return {
    invoice,
    merchant,
    attempts,
    accountNames: accountId === null ? {} : await accountNames(db, [accountId]),
    refunds: await listRefundsForBuyer(db, invoiceId),
    fiscalUrl: paidBy && accountId !== null ? await findFiscalUrl(db, paidBy.id) : null,
  };
}

/** When a receipt changed last (UTC ms): at the payment, or at the end of the last refund. */
export function changedAtMs({
  invoice,
  refunds,
}: Pick<ReceiptData, 'invoice' | 'refunds'>): number {
  return refunds.at(-1)?.updatedAtMs ?? invoice.statusChangedAtMs;
}
