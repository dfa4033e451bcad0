import { CURRENCIES, MAX_AMOUNT_MINOR, readAmount } from '../../lib/money.ts';

// The dashboard's and the payment page's signs, folded, for a copied text. The sum is written in
// many ways.
const CURRENCY = `(?:${CURRENCIES.join('|')}|us\\$|\\$|€|₽|сум(?:ов|а)?|сўм|so'm|som|руб(?:лей|\\.)?)`;
const AROUND = new RegExp(`^${CURRENCY}\\s*|\\s*${CURRENCY}$`, 'gi');
const NUMBER = '(?:\\d{1,3}(?:[ ,]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?)';
/** An amount as `amountOf` reads it, within a text. */
export const AMOUNT = `(?:${CURRENCY}\\s*)?${NUMBER}(?:\\s*${CURRENCY})?`;
const TERM = new RegExp(`(?<!\\S)${AMOUNT}(?!\\S)|\\S+`, 'gi');
/** More words than anybody types narrow nothing further. */
const MOST_WORDS = 8;

/** A word of a search, and what else it can be. */
export type Word = {
  /** Folded; null where a number is written as no text would have it. */
  text: string | null;
  amountMinor: bigint | null;
  cardLast4: string | null;
  /** An e-mail address, or its beginning up to behind the `@`, in lower case. */
  email: string | null;
};

/** An amount in the main unit of any currency, whose code or sign may stand beside it. */
export function amountOf(text: string): bigint | null {
  const amountMinor = readAmount(text.replaceAll(AROUND, ''));
  return amountMinor !== null && amountMinor <= MAX_AMOUNT_MINOR ? amountMinor : null;
}

/**
 * Whether a word is looked for within ids, which consist of random letters and digits: a word of
 * a language or a small number would be there by chance.
 */
export function isIdPart(word: string): boolean {
  if (!/^[0-9a-z_]{4,}$/.test(word)) return false;
  return word.length >= 6 || (/\d/.test(word) && /[a-z]/.test(word));
}

function readWord(term: string): Word {
  const amountMinor = amountOf(term);
  const isDigits = /^\d+$/.test(term);
  // The screens cut long ids off by dots.
  const text = term.replaceAll(/^\.{3}|\.{3}$/g, '');
  return {
    text: amountMinor === null || isDigits ? text : null,
    amountMinor,
    cardLast4: /^\d{4}$/.test(term) ? term : null,
    email: /^[^@\s]+@[^@\s]*$/.test(term) ? term : null,
  };
}

/** The words of a folded text; an amount in groups of digits counts as one. */
export function readWords(folded: string): Word[] {
  const terms = folded.match(TERM) ?? [];
  return terms
    .map((term) => readWord(term.trim()))
    .filter(({ text }) => text !== '')
    .slice(0, MOST_WORDS);
}
