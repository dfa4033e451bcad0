import type { Locale } from '#server/lib/locales.ts';
import { type Currency, formatMoney } from '#server/lib/money.ts';

const absolute = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/** As `formatMoney`, for any bigint: what goes out has a minus before it. */
export function signedMoney(
  minor: bigint,
  currency: Currency,
  locale: Locale,
  column: readonly bigint[] = [minor],
): string {
  const text = formatMoney(absolute(minor), currency, locale, column.map(absolute));
  return minor < 0n ? `\u2212${text}` : text;
}
