import type { Translator } from '../i18n/translator.ts';
import type { SellerDetails } from '../merchants/types.ts';

/** A way to reach a merchant, or a page of theirs, as buyers read it. */
export type SellerLink = { kind: 'contact' | 'page'; text: string; url: string };

/** The support's contacts and the links to the merchant's own pages. */
export function sellerLinks(
  { supportPhone, supportEmail, supportTelegram, termsUrl, refundPolicyUrl }: SellerDetails,
  t: Translator<'pay'>,
): SellerLink[] {
  const links: SellerLink[] = [];
  const contact = (text: string, url: string) => links.push({ kind: 'contact', text, url });
  const page = (text: string, url: string) => links.push({ kind: 'page', text, url });
  if (supportPhone) contact(supportPhone, `tel:${supportPhone.replace(/[^\d+]/g, '')}`);
  if (supportEmail) contact(supportEmail, `mailto:${supportEmail}`);
  if (supportTelegram) contact(`@${supportTelegram}`, `https://t.me/${supportTelegram}`);
  if (termsUrl) page(t('seller.terms'), termsUrl);
  if (refundPolicyUrl) page(t('seller.refunds'), refundPolicyUrl);
  return links;
}
