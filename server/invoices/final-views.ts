import { LruMap } from '../lib/lru-map.ts';
import type { Tenant } from '../merchants/types.ts';
import type { MerchantInvoices } from './merchant-invoices.ts';
import type { InvoiceReference, InvoiceStatusView } from './types.ts';

// A view has about 400 bytes.
const MAX_VIEWS = 20_000;

function keyOf({ merchantId, environment }: Tenant, reference: InvoiceReference): string {
  const name =
    'invoiceId' in reference
      ? `id ${reference.invoiceId}`
      : `transaction ${reference.merchantTransactionId}`;
  return `${merchantId} ${environment} ${name}`;
}

/**
 * Answers from memory what can no longer change: PAID, EXPIRED and CANCELED are final, and invoices
 * are never deleted. Shops keep asking for some time after a payment.
 *
 * A view is kept under the tenant that read it, so that no other tenant finds it there; a PENDING
 * or absent invoice is not kept.
 */
export function rememberFinal(invoices: MerchantInvoices, maxViews = MAX_VIEWS): MerchantInvoices {
  const views = new LruMap<string, InvoiceStatusView>(maxViews);
  const keep = (key: string, view: InvoiceStatusView | null): void => {
    if (view && view.status !== 'PENDING') views.set(key, view);
  };
  return {
    create: invoices.create,
    async readStatus(tenant, reference, context) {
      const key = keyOf(tenant, reference);
      const known = views.get(key);
      if (known) return known;
      const view = await invoices.readStatus(tenant, reference, context);
      keep(key, view);
      return view;
    },
    async cancel(tenant, invoiceId, context) {
      const key = keyOf(tenant, { invoiceId });
      const known = views.get(key);
      if (known?.status === 'CANCELED') {
        return { outcome: 'canceled', isNew: false, view: known };
      }
      if (known?.status === 'PAID' || known?.status === 'EXPIRED') {
        return { outcome: 'final', status: known.status, view: known };
      }
      const result = await invoices.cancel(tenant, invoiceId, context);
      if (result.outcome === 'canceled' || result.outcome === 'final') keep(key, result.view);
      return result;
    },
  };
}
