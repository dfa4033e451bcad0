/** Replaced before NFKC, which would make two characters of `´`. */
const APOSTROPHES = /[\u02bb\u02bc\u2018\u2019`\u00b4]/g;
const QUOTES = /[\u201c\u201d]/g;
const HYPHENS = /[\p{Dash_Punctuation}\u2212]/gu;
/** `٫` of Arabic keyboards and `。` of East Asian ones. */
const POINTS = /[\u066b\u3002]/g;
const DIGITS = /(?![0-9])\p{Nd}/gu;
// Between letters of other scripts than Latin a joiner belongs to the word (RFC 5892, A.1 and A.2).
const UNSEEN = /(?!(?<=[^\0-\x7f])\p{Join_Control})\p{Default_Ignorable_Code_Point}/gu;

/** Each script has its ten digits in a row (Unicode 4.6). */
function toLatin(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/**
 * What a person typed, in the one form in which it is compared. Keyboards, input methods, password
 * managers and the clipboard write the same text in many: full-width characters and ligatures become
 * ordinary ones (NFKC), digits of every script 0 to 9, all apostrophes `'`, all dashes `-`; what nobody
 * sees and the blanks around it go. Case stays.
 */
export function foldTyped(text: string): string {
  return text
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .normalize('NFKC')
    .replace(HYPHENS, '-')
    .replace(POINTS, '.')
    .replace(DIGITS, toLatin)
    .replace(UNSEEN, '')
    .trim();
}

/** The same of a text whose case says nothing: a name that is looked for, an address. */
export function foldCase(text: string): string {
  return foldTyped(text).toLowerCase();
}

/** The same of a code or a number, which people write in groups: without blanks and hyphens. */
export function foldCode(text: string): string {
  return foldCase(text).replace(/[\s-]/g, '');
}

/**
 * The same of a password, of which nothing may get lost: as NIST SP 800-63B, 5.1.1.2, wants it before
 * it is hashed.
 */
export function foldPassword(text: string): string {
  return text.normalize('NFKC');
}

/**
 * What a search may mean where the other side gave the text, to the character: as it was given, without
 * the blanks around it, and folded.
 */
export function readingsOf(text: string): string[] {
  return [...new Set([text.trim(), text, foldTyped(text)])];
}

/** A text without what PostgreSQL's `text` and `jsonb` cannot hold: NULs and halves of characters. */
export function storablePart(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '');
}

/** Whether PostgreSQL can hold a text as it is. */
export function isStorable(text: string): boolean {
  return storablePart(text) === text;
}
