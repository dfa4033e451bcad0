import { buyerEmailOf } from '#server/lib/buyer-email.ts';
import { foldCode } from '#server/lib/typed-text.ts';
import { passesLuhn } from '#server/payments/brand.ts';
import type { Card } from '#server/payments/types.ts';
import { parseExpiry } from './field-formats.ts';

/** The names of the form's fields, in their order on the page. */
export const CARD_FIELDS = ['number', 'expiry', 'securityCode', 'name', 'email'] as const;
export type CardField = (typeof CARD_FIELDS)[number];

/** The names of the form's inputs in a post. */
export const INPUT_NAMES: Record<CardField, string> = {
  number: 'cardNumber',
  expiry: 'expiryDate',
  securityCode: 'securityCode',
  name: 'nameOnCard',
  email: 'email',
};

export const CARD_FAULTS = [
  'number_missing',
  'number_characters',
  'number_length',
  'number_check',
  'number_test',
  'expiry_missing',
  'expiry_format',
  'expiry_past',
  'securityCode_missing',
  'securityCode_format',
  'name_missing',
  'name_length',
  'email_format',
] as const;
/** The fault of a field; the messages have words for each. */
export type CardFault = (typeof CARD_FAULTS)[number];

export type CardInput = Record<CardField, string>;
export type CardFaults = Partial<Record<CardField, CardFault>>;
export type CheckedCard = { card: Card } | { faults: CardFaults };

/** The longest name, in characters. */
const NAME_MAX = 100;
const NUMBER_MIN = 12;
const NUMBER_MAX = 19;

function numberFault(text: string): CardFault | null {
  const digits = foldCode(text);
  if (digits === '') return 'number_missing';
  if (!/^[0-9]+$/.test(digits)) return 'number_characters';
  if (digits.length < NUMBER_MIN || digits.length > NUMBER_MAX) return 'number_length';
  return passesLuhn(digits) ? null : 'number_check';
}

function expiryFault(text: string, now: Date): CardFault | null {
  if (text.trim() === '') return 'expiry_missing';
  const expiry = parseExpiry(text);
  if (!expiry) return 'expiry_format';
  // A card is valid to the end of its month; the westernmost zone is 12 hours behind UTC.
  const endsMs = Date.UTC(expiry.year, expiry.month, 1) + 12 * 60 * 60 * 1000;
  return endsMs <= now.getTime() ? 'expiry_past' : null;
}

function securityCodeFault(text: string): CardFault | null {
  const digits = foldCode(text);
  if (digits === '') return 'securityCode_missing';
  return /^\d{3,4}$/.test(digits) ? null : 'securityCode_format';
}

function nameFault(text: string): CardFault | null {
  const name = text.trim();
  if (name === '') return 'name_missing';
  return [...name].length > NAME_MAX ? 'name_length' : null;
}

/** The fault of one field as typed, or null. */
export function fieldFault(field: CardField, text: string, now: Date): CardFault | null {
  switch (field) {
    case 'number':
      return numberFault(text);
    case 'expiry':
      return expiryFault(text, now);
    case 'securityCode':
      return securityCodeFault(text);
    case 'name':
      return nameFault(text);
    case 'email':
      return text.trim() === '' || buyerEmailOf(text) ? null : 'email_format';
  }
}

/**
 * Checks a card as typed. Browser and server ask the same rules; only the
 * server's answer counts.
 * @param now the server's clock, which decides whether a card has expired
 */
export function checkCard(input: CardInput, now: Date): CheckedCard {
  const faults: CardFaults = {};
  for (const field of CARD_FIELDS) {
    const fault = fieldFault(field, input[field], now);
    if (fault) faults[field] = fault;
  }
  const expiry = parseExpiry(input.expiry);
  if (Object.keys(faults).length > 0 || !expiry) return { faults };
  return {
    card: {
      number: foldCode(input.number),
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      securityCode: foldCode(input.securityCode),
      holderName: input.name.trim(),
    },
  };
}
