import { digitsOf, monthFirst } from './card-rules.ts';

/** Digits in groups of four, as they are printed on a card; too many stay, to be told of. */
export function groupNumber(text: string): string {
  const digits = digitsOf(text).replace(/\D/g, '');
  return digits.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/**
 * Where the caret belongs in the grouped text, so that as many digits stand
 * before it as did when the buyer typed.
 */
export function caretAfter(grouped: string, digitsBefore: number): number {
  let seen = 0;
  for (let index = 0; index < grouped.length; index++) {
    if (seen === digitsBefore) return index;
    if (/\d/.test(grouped.charAt(index))) seen++;
  }
  return grouped.length;
}

/**
 * `0829` → `08 / 29` while it is typed; the slash comes by itself, except while
 * deleting, where it would come back under the buyer's hands. Of a year in four
 * digits the century goes when its last one is there: `08 / 202`, `08 / 29`. What is more than digits
 * and marks stays, to be told of: the rest of `Mar 2037` would be another date.
 */
export function formatExpiry(text: string, deleting: boolean): string {
  const expiry = monthFirst(text);
  if (/\p{L}|(?!\d)\p{N}/u.test(expiry)) return text;
  let digits = expiry.replace(/\D/g, '');
  if (/^[2-9]/.test(digits) || /^1\s*[/\-.]/.test(expiry)) digits = `0${digits}`;
  if (digits.length < 2 || (deleting && digits.length === 2)) return digits;
  const year = digits.slice(2).replace(/^20(?=\d\d)/, '');
  return `${digits.slice(0, 2)} / ${year.slice(0, /^20\d$/.test(year) ? 3 : 2)}`;
}
