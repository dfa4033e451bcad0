import { foldCode, foldTyped } from '#server/lib/typed-text.ts';

/** Digits in groups of four, as printed on a card; extra digits stay, and are a fault. */
export function groupNumber(text: string): string {
  const digits = foldCode(text).replace(/\D/g, '');
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
 * `2030-12`, which password managers fill in where they cannot read a field's hint, as `12/2030`;
 * also with a space.
 */
function monthFirst(expiry: string): string {
  return expiry.replace(/^(\d{4})\s*[/\-.\s]\s*(\d{1,2})$/, '$2/$1');
}

/**
 * `0829` → `08 / 29` while it is typed; the slash comes by itself, except while
 * deleting, where it would come back under the buyer's hands. Of a year in four
 * digits the century goes when its last one is there: `08 / 202`, `08 / 29`. A year that is typed
 * first waits for its month: `2037`, `2037 1`, `11 / 37`. What is more than digits and marks stays, to
 * be told of: the rest of `Mar 2037` would be another date.
 */
export function formatExpiry(text: string, deleting: boolean): string {
  const folded = foldTyped(text);
  if (/^20\d\d\s[01]$/.test(folded)) return folded;
  const expiry = monthFirst(folded);
  if (/\p{L}|(?!\d)\p{N}/u.test(expiry)) return text;
  let digits = expiry.replace(/\D/g, '');
  // The first three digits of 2037 have become `02 / 03`, a date that no valid card has.
  const [, first, month = ''] = /^0?(20\d\d)(\d{0,2})/.exec(digits) ?? [];
  if (first && /^[01]?$/.test(month)) return `${first} ${month}`.trimEnd();
  if (first) return `${month.padStart(2, '0')} / ${first.slice(2)}`;
  if (/^[2-9]/.test(digits) || /^1\s*[/\-.]/.test(expiry)) digits = `0${digits}`;
  if (digits.length < 2 || (deleting && digits.length === 2)) return digits;
  const year = digits.slice(2).replace(/^20(?=\d\d)/, '');
  return `${digits.slice(0, 2)} / ${year.slice(0, /^20\d$/.test(year) ? 3 : 2)}`;
}

/**
 * The month and the four-digit year of a whole date, read by the field's own rule: without script
 * the text comes as typed.
 * @returns null for anything else
 */
export function parseExpiry(text: string): { month: number; year: number } | null {
  const [, month = '', year = ''] = /^(\d\d) \/ (\d\d)$/.exec(formatExpiry(text, false)) ?? [];
  const isMonth = month >= '01' && month <= '12';
  return isMonth ? { month: Number(month), year: 2000 + Number(year) } : null;
}
