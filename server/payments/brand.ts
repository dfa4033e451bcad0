import type { CardBrand } from './types.ts';

/** The brand by the beginning of the number (ISO/IEC 7812): 4 Visa; 51–55 and 2221–2720 Mastercard. */
export function brandOf(cardNumber: string): CardBrand {
  if (cardNumber.startsWith('4')) return 'visa';
  const four = Number(cardNumber.slice(0, 4));
  const two = Number(cardNumber.slice(0, 2));
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return 'mastercard';
  return 'unknown';
}

/** Luhn's check digit (ISO/IEC 7812-1, annex B) over a string of digits. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** The names of the known card brands. */
export const BRAND_NAMES: Record<Exclude<CardBrand, 'unknown'>, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  uzcard: 'Uzcard',
  humo: 'Humo',
  mir: 'Mir',
  unionpay: 'UnionPay',
  amex: 'American Express',
};

/** The name of a card's brand; `card`, in the language, for an unknown one. */
export function brandName(brand: string, card: string): string {
  const names: Record<string, string> = BRAND_NAMES;
  return names[brand] ?? card;
}
