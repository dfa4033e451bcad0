import { dictionary } from '@zxcvbn-ts/language-common';

// Refuses what NIST SP 800-63B (5.1.1.2) lists: commonly used passwords, sequences and repeats, and
// words of the person or the service. A list has few passwords of twelve characters, and those that
// people make follow rules: some words of the list, rows of keys, a year, repeated.

// Tens of thousands of leaked passwords, the most frequent first, in lower case.
const RANKS = new Map(dictionary['passwords-common'].map((word, at) => [word, at + 1]));
const LONGEST = Math.max(...[...RANKS.keys()].map((word) => word.length));

// Words of this service and its people that the list lacks, and the best-known passphrase.
const OWN_WORDS = [
  ...['payment', 'gateway', 'merchant', 'dashboard', 'invoice', 'account', 'login'],
  ...['parolim', 'parol', 'salom', 'tashkent', 'toshkent', 'uzbekistan', 'pakhtakor'],
  ...['correcthorsebatterystaple', 'correct horse battery staple'],
];

// Sequences of alphabets and keyboards, backwards as well.
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя', '01234567890'],
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertz', 'azerty'],
  '!@#$%^&*()',
  ...['1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', '1qaz2wsx3edc4rfv5tgb6yhn7ujm'],
  ...['qazwsxedcrfvtgbyhnujmikolp', 'zaq12wsxcde34rfv'],
].flatMap((row) => [row, [...row].reverse().join('')]);

const ROW_LENGTH = 3;
const YEAR = /^(19|20)\d\d/;
const STAND_INS: Record<string, string> = {
  ...{ '@': 'a', $: 's', '!': 'i', 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' },
};

// A Russian keyboard's keys as they are on an English one: the list has пароль as `gfhjkm`, the
// form that leaked more often.
const RUSSIAN = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const ENGLISH = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";

// The value of a character, and of a row, a year, a repeat or one of our own words; a word of the
// list is rated by how many are more frequent.
const CHARACTER_BITS = 5;
// As much as eight characters that no rule guesses; the rest may then be as easy as one likes.
const ENOUGH_BITS = 8 * CHARACTER_BITS;

/** An address, and its parts of more than two letters. */
function partsOf(email: string): string[] {
  return [email, ...email.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2)];
}

function rowLength(text: string): number {
  let length = ROW_LENGTH;
  while (length <= text.length && ROWS.some((row) => row.includes(text.slice(0, length)))) length++;
  return length > ROW_LENGTH ? length - 1 : 0;
}

/** How far the text repeats the end of what precedes it. */
function repeatLength(before: string, text: string): number {
  let longest = 0;
  for (let length = 1; length <= before.length; length++) {
    const block = before.slice(-length);
    let end = 0;
    while (text.startsWith(block, end)) end += length;
    longest = Math.max(longest, end);
  }
  return longest;
}

type Piece = { length: number; bits: number };

/** The pieces that can continue the text at a place, in each reading. */
function* piecesAt(readings: string[], at: number, words: string[]): Generator<Piece> {
  const [text = ''] = readings;
  const rest = text.slice(at);
  const lengths = [1, YEAR.test(rest) ? 4 : 0, repeatLength(text.slice(0, at), rest)];
  for (const reading of readings) {
    lengths.push(rowLength(reading.slice(at)));
    for (const word of words) if (reading.startsWith(word, at)) lengths.push(word.length);
    for (let length = Math.min(LONGEST, rest.length); length > 0; length--) {
      const rank = RANKS.get(reading.slice(at, at + length));
      if (rank) yield { length, bits: Math.max(CHARACTER_BITS, Math.log2(rank)) };
    }
  }
  for (const length of lengths) if (length > 0) yield { length, bits: CHARACTER_BITS };
}

/**
 * Whether a password is little more than common passwords, words of this service, rows of keys,
 * years, repeats and parts of its person's address.
 *
 * @param password folded (`foldPassword`)
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.toLowerCase();
  const readings = [
    text,
    text.replace(/[@$!013457]/g, (sign) => STAND_INS[sign] ?? sign),
    text.replace(/[а-яё]/g, (letter) => ENGLISH.charAt(RUSSIAN.indexOf(letter))),
  ];
  const words = [...OWN_WORDS, ...partsOf(email)];
  // The least value that leads to each place, as long as that is not enough.
  const least = [0];
  for (let at = 0; at < text.length; at++) {
    const before = least[at];
    if (before === undefined) continue;
    for (const { length, bits } of piecesAt(readings, at, words)) {
      const sum = Math.min(before + bits, least[at + length] ?? ENOUGH_BITS);
      if (sum < ENOUGH_BITS) least[at + length] = sum;
    }
  }
  return least[text.length] !== undefined;
}
