/** What a tax number is by its form: a STIR or INN, a PINFL of a person, or that of another country. */
export type TaxNumberKind = 'inn' | 'pinfl' | 'other';

const MAX_LENGTH = 20;
const ALLOWED = /^[\p{L}\d][\p{L}\d ./-]*$/u;

const INN_10 = [2, 4, 10, 3, 5, 9, 4, 6, 8];
const INN_12 = [7, ...INN_10];
const INN_12_LAST = [3, ...INN_12];

/** The check digit of a Russian INN over the digits that `weights` covers. */
function checkDigit(digits: string, weights: readonly number[]): string {
  const sum = weights.reduce((all, weight, place) => all + weight * Number(digits[place]), 0);
  return String((sum % 11) % 10);
}

function hasCheckDigits(inn: string): boolean {
  if (inn.length === 10) return inn[9] === checkDigit(inn, INN_10);
  return inn[10] === checkDigit(inn, INN_12) && inn[11] === checkDigit(inn, INN_12_LAST);
}

/** The kind of a valid tax number. */
export function taxNumberKind(number: string): TaxNumberKind {
  if (/^\d{14}$/.test(number)) return 'pinfl';
  return /^(\d{9,10}|\d{12})$/.test(number) ? 'inn' : 'other';
}

/**
 * What is wrong with a tax number; null if nothing is.
 *
 * Digits alone are a STIR (9), a PINFL (14) or a Russian INN (10 or 12, with the check digits of its
 * tax service), so that a digit too few is noticed. A number of another country has letters or signs.
 */
export function taxNumberFault(number: string): 'characters' | 'digits' | 'check' | null {
  if (number.length > MAX_LENGTH || !ALLOWED.test(number)) return 'characters';
  if (!/^\d+$/.test(number)) return null;
  if (![9, 10, 12, 14].includes(number.length)) return 'digits';
  const isRussian = number.length === 10 || number.length === 12;
  return isRussian && !hasCheckDigits(number) ? 'check' : null;
}
