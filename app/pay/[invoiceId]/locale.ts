import { requestLocale } from '#app/_i18n/request-locale.ts';
import { isLocale, type Locale } from '#server/lib/locales.ts';
import { loadInvoice } from './loader.ts';

/** The buyer's language; the merchant's if the buyer asks for none that we have. */
export async function buyerLocale(invoiceId: string): Promise<Locale> {
  const loaded = await loadInvoice(invoiceId);
  const own = loaded.kind === 'invoice' ? loaded.merchant.defaultLocale : null;
  return await requestLocale(isLocale(own) ? own : undefined);
}
