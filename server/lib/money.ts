import { numberFormat } from './formats.ts';

/** The currencies of the contract. */
export const CURRENCIES = ['USD', 'EUR', 'RUB', 'UZS'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The most that an invoice can hold, minor units: exact in every JSON reader. */
export const MAX_AMOUNT_MINOR = 9_007_199_254_740_991n;

/** An amount is read before its currency is known, as in a search: that takes one number for all. */
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

const DECIMAL = new RegExp(`^(\\d{1,16})(?:[.,](\\d{1,${SHARED_DIGITS}}))?$`);

/**
 * `'12.5'` or `'12,5'` → `1250n`: the minor units of a decimal of any of the currencies, no float in
 * between.
 *
 * @returns null for what is none: a sign, a group of digits, or a decimal too many
 */
export function fromDecimalString(text: string): bigint | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, whole = '', decimals = ''] = match;
  return BigInt(whole + decimals.padEnd(SHARED_DIGITS, '0'));
}

/**
 * Writes an amount as a person of `locale` does, e.g. `$15.00` or `15,00 $`: so a buyer sees it,
 * everywhere the same.
 *
 * The decimal string goes to Intl as a string, which formats it exactly (ECMA-402,
 * NumberFormat v3), where a number would be rounded beyond 2^53.
 */
export function formatMoney(amountMinor: bigint, currency: Currency, locale: string): string {
  const digits = minorUnitDigits(currency);
  const format = numberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(toDecimalString(amountMinor, currency) as Intl.StringNumericLiteral);
}

/**
 * Number and ISO code, for staff, who read several currencies side by side: `15.00 USD`,
 * `1 500,00 RUB`.
 * Exact, as in `formatMoney`.
 */
export function formatAmount(amountMinor: bigint, currency: Currency, locale: string): string {
  const digits = minorUnitDigits(currency);
  const format = numberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const decimal = toDecimalString(amountMinor, currency) as Intl.StringNumericLiteral;
  return `${format.format(decimal)} ${currency}`;
}
