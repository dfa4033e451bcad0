import { type Locale, propertiesOf } from './locales.ts';
import { foldTyped } from './typed-text.ts';

/** The currencies of the contract. */
export const CURRENCIES = ['USD', 'EUR', 'RUB', 'UZS'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The largest amount of an invoice, in minor units: exact in every JSON reader. */
export const MAX_AMOUNT_MINOR = 9_007_199_254_740_991n;

/** Amounts are read before their currency is known, as in a search, so all share this number. */
const SHARED_DIGITS = 2;

/** Minor-unit exponents by ISO 4217 (list one). */
const MINOR_UNIT_DIGITS: Record<Currency, typeof SHARED_DIGITS> = {
  USD: 2,
  EUR: 2,
  RUB: 2,
  UZS: 2,
};

/** The number of decimals of a currency by ISO 4217. */
export function minorUnitDigits(currency: Currency): number {
  return MINOR_UNIT_DIGITS[currency];
}

/** `1500n, 'USD'` → `'15.00'`: exact for any bigint, no float in between. */
export function toDecimalString(amountMinor: bigint, currency: Currency): string {
  const digits = minorUnitDigits(currency);
  const sign = amountMinor < 0n ? '-' : '';
  const absolute = (amountMinor < 0n ? -amountMinor : amountMinor)
    .toString()
    .padStart(digits + 1, '0');
  if (digits === 0) return sign + absolute;
  return `${sign}${absolute.slice(0, -digits)}.${absolute.slice(-digits)}`;
}

/**
 * Reads an amount as programs write it: digits, and behind a point no more decimals than the currency
 * has. `'1000'`, `'1000.0'` and `'1000.00'` are 100000 minor units of UZS. No float in between.
 *
 * @returns null for anything else
 */
export function fromDecimalString(text: string, currency: Currency): bigint | null {
  const digits = minorUnitDigits(currency);
  const [, whole = '', decimals = ''] = /^(\d{1,16})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || decimals.length > digits) return null;
  return BigInt(whole + decimals.padEnd(digits, '0'));
}

const DECIMAL = new RegExp(`^(\\d{1,16})(?:[.,](\\d{1,${SHARED_DIGITS}}))?$`);
const IN_THOUSANDS = new RegExp(`^\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,${SHARED_DIGITS}})?$`);

/**
 * Reads an amount as a person types it, in the main unit of any currency: `1234.5`, `1 234,50`,
 * `1,234.50` and `١٢٣٤٫٥` are 123450 minor units. No float in between.
 *
 * @returns null for anything else, such as a sign or too many decimals
 */
export function readAmount(typed: string): bigint | null {
  const text = foldTyped(typed).replaceAll(/\s/g, '');
  const match = DECIMAL.exec(IN_THOUSANDS.test(text) ? text.replaceAll(',', '') : text);
  if (!match) return null;
  const [, whole = '', decimals = ''] = match;
  return BigInt(whole + decimals.padEnd(SHARED_DIGITS, '0'));
}

/**
 * Writes an amount as people do: `$15.00`, `15 $`, `8,50 $`, `84 900 сум`, in the same form
 * everywhere. Exact for any bigint of 0 or more.
 *
 * @param column the amounts of the same currency in its column: if one of them has decimals, all
 * get
 *   them, so that the digits align
 */
export function formatMoney(
  amountMinor: bigint,
  currency: Currency,
  locale: Locale,
  column: readonly bigint[] = [amountMinor],
): string {
  const { group, decimal, sums, alwaysExact } = propertiesOf(locale).money;
  const unitMinor = 10n ** BigInt(minorUnitDigits(currency));
  const isExact = alwaysExact.includes(currency) || column.some((each) => each % unitMinor !== 0n);
  const [whole = '', decimals = ''] = toDecimalString(amountMinor, currency).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return sums[currency].replace('#', isExact ? grouped + decimal + decimals : grouped);
}
