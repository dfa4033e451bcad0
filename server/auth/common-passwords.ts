// What NIST SP 800-63B (5.1.1.2) asks to be refused: commonly used passwords, rows and repeats,
// and what belongs to the person or the service. A list of leaked passwords has few of twelve
// characters, and those are made by rule: some of these words, rows of keys, a year, once more.

const WORDS = `
  password passwort passwd parol parolim пароль secret pass login admin administrator root user
  master manager welcome letmein hello privet привет salom test demo temp guest changeme default
  access server system computer internet online account office company business money bank
  payment gateway merchant dashboard invoice
  love iloveyou lovely baby angel sweet princess queen king prince lucky happy freedom forever
  family mother father mama papa friend friends sister brother
  monkey dragon tiger eagle lion shadow hunter killer ninja warrior wizard samurai panther
  football soccer baseball basketball hockey liverpool arsenal chelsea barcelona juventus
  manchester spartak zenit pakhtakor
  superman batman spiderman pokemon starwars matrix mustang ferrari porsche mercedes corvette
  harley yamaha michael jordan jessica jennifer michelle charlie daniel thomas andrew robert
  matthew joshua ashley nicole amanda alexander maxim natasha
  sunshine summer winter spring autumn flower diamond silver golden orange banana cookie
  chocolate cheese pepper ginger music guitar rainbow
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday
  london moscow москва moskva tashkent toshkent russia россия uzbekistan america
  trustno whatever nothing google apple samsung windows microsoft facebook instagram minecraft
`
  .trim()
  .split(/\s+/);

// As they follow each other in alphabets and on keyboards, backwards as well.
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя', '01234567890'],
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertz', 'azerty'],
  ...['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю', '!@#$%^&*()'],
  ...['1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', '1qaz2wsx3edc4rfv5tgb6yhn7ujm'],
  ...['qazwsxedcrfvtgbyhnujmikolp', 'zaq12wsxcde34rfv'],
].flatMap((row) => [row, [...row].reverse().join('')]);

const ROW_LENGTH = 3;
const YEAR = /^(19|20)\d\d/;
const STAND_INS: Record<string, string> = {
  ...{ '@': 'a', $: 's', '!': 'i', 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' },
};

// As many that nobody guesses by rule, beside which the rest may be as easy as one likes.
const ENOUGH = 8;

/** An address, and its parts that are more than two letters. */
function partsOf(email: string): string[] {
  return [email, ...email.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2)];
}

function rowLength(text: string): number {
  let length = ROW_LENGTH;
  while (length <= text.length && ROWS.some((row) => row.includes(text.slice(0, length)))) length++;
  return length > ROW_LENGTH ? length - 1 : 0;
}

/** How far the text goes on with the end of what stands before it, again and again. */
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

/**
 * Whether a password is hardly more than common words, rows of keys, years, repeats and parts of
 * its person's address: each of those counts as one character.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const read = text.replace(/[@$!013457]/g, (sign) => STAND_INS[sign] ?? sign);
  const words = [...WORDS, ...partsOf(email)];
  let units = 0;
  for (let at = 0; at < text.length; units++) {
    if (units === ENOUGH) return false;
    const rest = text.slice(at);
    const found = words.filter((word) => rest.startsWith(word) || read.startsWith(word, at));
    const year = YEAR.test(rest) ? 4 : 0;
    const repeat = repeatLength(text.slice(0, at), rest);
    at += Math.max(1, year, repeat, rowLength(rest), ...found.map((word) => word.length));
  }
  return units < ENOUGH;
}
