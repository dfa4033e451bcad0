import { cache } from 'react';
import { countTry } from '#server/auth/throttle.ts';
import { getPool } from '#server/db/pool.ts';
import { addressKey } from '#server/lib/address-key.ts';
import type { Locale } from '#server/lib/locales.ts';
import { isLinkCode, linkUrl } from '#server/links/address.ts';
import { readLinkForBuyer } from '#server/links/data.ts';
import { readOrder } from '#server/links/order.ts';
import { orderAtLink } from '#server/links/order-at-link.ts';
import type { PaymentLink, TypedOrder } from '#server/links/types.ts';
import { readStorefront, type Storefront } from '#server/merchants/storefront.ts';
import { log } from '#server/observability/log.ts';
import { keepContact } from '#server/receipts/contacts.ts';

/** A crowd behind one address orders at once; nobody else orders as often. */
const ADDRESS_LIMIT = { max: 500, windowMs: 10 * 60_000 };

export type LoadedLink =
  | { kind: 'link'; link: PaymentLink; merchant: Storefront; nowMs: number }
  | { kind: 'unknown' }
  | { kind: 'trouble' };

/** Everything that a link's page shows; read once for a request. A failure is a state. */
export const loadLink = cache(async (code: string): Promise<LoadedLink> => {
  if (!isLinkCode(code)) return { kind: 'unknown' };
  const now = new Date();
  try {
    const link = await readLinkForBuyer(getPool(), code, now);
    const merchant = link && (await readStorefront(getPool(), link.merchantId));
    return merchant ? { kind: 'link', link, merchant, nowMs: now.getTime() } : { kind: 'unknown' };
  } catch (error) {
    log().error({ err: error, code }, 'the page of a link could not be read');
    return { kind: 'trouble' };
  }
});

/** The address of a link's page as buyers know it; null for a text that is no link's code. */
export function linkAddress(code: string): string | null {
  return isLinkCode(code) ? linkUrl(code) : null;
}

export type PlacedOrder =
  | { outcome: 'made'; invoiceId: string }
  /** What is wrong with the order, or why it was not made. */
  | { outcome: 'faults'; faults: string[] }
  /** The link's own page says why. */
  | { outcome: 'refused' };

const FORM_KEY = /^[0-9a-f-]{36}$/;

/** Makes the invoice of a buyer's form. */
export async function placeOrder(
  code: string,
  { typed, formKey }: { typed: TypedOrder; formKey: string },
  { address, locale, requestId }: { address: string; locale: Locale; requestId: string },
): Promise<PlacedOrder> {
  const loaded = await loadLink(code);
  if (loaded.kind !== 'link' || loaded.link.state !== 'open' || !FORM_KEY.test(formKey)) {
    return { outcome: 'refused' };
  }
  const { link } = loaded;
  const read = readOrder(link, typed);
  if ('faults' in read) return { outcome: 'faults', faults: read.faults };
  const now = new Date();
  try {
    const key = `orders ${addressKey(address)}`;
    if (!(await countTry(getPool(), key, ADDRESS_LIMIT, now))) {
      return { outcome: 'faults', faults: ['throttled'] };
    }
    const command = { link, order: read.order, formKey };
    const invoiceId = await orderAtLink(getPool(), command, { now, requestId });
    const { email } = read.order;
    // The payment page begins with it, for the payment confirmation.
    if (invoiceId && email) await keepContact(getPool(), invoiceId, { address: email, locale });
    return invoiceId === null ? { outcome: 'refused' } : { outcome: 'made', invoiceId };
  } catch (error) {
    log().error({ err: error, code }, 'an order at a link could not be made');
    return { outcome: 'faults', faults: ['failed'] };
  }
}
