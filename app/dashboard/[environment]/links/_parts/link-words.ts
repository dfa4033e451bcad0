import type { BadgeTone } from '#app/_ui/badge.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { LinkState } from '#server/links/types.ts';
import type { LinkView } from '#server/trpc/rows.ts';

/** How the state of a link looks. */
export const STATE_TONES: Record<LinkState, BadgeTone> = {
  open: 'positive',
  off: 'plain',
  ended: 'plain',
  sold_out: 'caution',
};

/** What a link costs: one amount, or its bounds. */
export function priceText({ price, currency }: LinkView, locale: Locale): string {
  const money = (minor: bigint) => formatMoney(minor, currency, locale);
  if ('amountMinor' in price) return money(price.amountMinor);
  return translatorOf(locale, 'dashboard.links')('bounds', {
    least: money(price.leastMinor),
    greatest: money(price.greatestMinor),
  });
}

/** How many of a link's uses are taken. */
export function usesText({ uses, usesLimit }: LinkView, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.links');
  return usesLimit === null
    ? t('usesSoFar', { count: uses })
    : t('usesOfLimit', { count: uses, limit: usesLimit });
}

/** How many of them are paid, and the sum. */
export function paidText({ paid, paidMinor, currency }: LinkView, locale: Locale): string {
  const sum = formatMoney(paidMinor, currency, locale);
  return translatorOf(locale, 'dashboard.links')('paidSoFar', { count: paid, sum });
}
