/** Replaced before NFKC, which would turn `´` into two characters. */
const APOSTROPHES = /[\u02bb\u02bc\u2018\u2019`\u00b4]/g;
const QUOTES = /[\u201c\u201d]/g;
const HYPHENS = /[\p{Dash_Punctuation}\u2212]/gu;
/** `٫` is on Arabic keyboards, `。` on East Asian ones. */
const POINTS = /[\u066b\u3002]/g;
const DIGITS = /(?![0-9])\p{Nd}/gu;
// A joiner between letters of non-Latin scripts belongs to the word (RFC 5892, A.1 and A.2).
const UNSEEN = /(?!(?<=[^\0-\x7f])\p{Join_Control})\p{Default_Ignorable_Code_Point}/gu;

/** Each script has its ten digits in a row (Unicode 4.6). */
function toLatin(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/**
 * Brings typed text into the one form in which it is compared. Keyboards, input methods, password
 * managers and the clipboard write the same text in many ways: full-width characters and ligatures
 * become ordinary ones (NFKC), digits of every script 0 to 9, all apostrophes `'`, all dashes `-`;
 * invisible characters and surrounding blanks go. Case stays.
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

/** The same for text whose case means nothing: a name in a search, an address. */
export function foldCase(text: string): string {
  return foldTyped(text).toLowerCase();
}

/** The same for a code or a number, which people write in groups: without blanks and hyphens. */
export function foldCode(text: string): string {
  return foldCase(text).replace(/[\s-]/g, '');
}

/**
 * The same for a password, of which nothing may get lost: NIST SP 800-63B, 5.1.1.2, wants this
 * before hashing.
 */
export function foldPassword(text: string): string {
  return text.normalize('NFKC');
}

/**
 * What a search may mean where the other side chose the text: exactly the text, the text without
 * surrounding blanks, and the folded text.
 */
export function readingsOf(text: string): string[] {
  return [...new Set([text.trim(), text, foldTyped(text)])];
}

/** A text without NULs and halves of characters, which PostgreSQL's `text` and `jsonb` refuse. */
export function storablePart(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '');
}

/** Whether PostgreSQL can store a text as it is. */
export function isStorable(text: string): boolean {
  return storablePart(text) === text;
}
