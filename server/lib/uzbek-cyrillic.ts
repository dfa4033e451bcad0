/** Names and abbreviations that Uzbek writes in Latin letters in either script. */
const LATIN =
  /\b(?:3-D Secure|GMT|UTC|PDF|QR|REST|API|callback|SberPay|Uzcard|Humo|Visa|Mastercard|\w+@[\w.]+)\b/;

/** Words whose spelling does not follow from their letters, without their endings. */
const WORDS: Record<string, string> = {
  yanvar: 'январь',
  fevral: 'февраль',
  aprel: 'апрель',
  iyun: 'июнь',
  iyul: 'июль',
  sentabr: 'сентябрь',
  oktabr: 'октябрь',
  noyabr: 'ноябрь',
  dekabr: 'декабрь',
  tranzaksiya: 'транзакция',
};

/** The longest come first: `yoʻl` is `йўл`, not `ёъл`. */
const LETTERS: Record<string, string> = {
  yoʻ: 'йў',
  ya: 'я',
  ye: 'е',
  yo: 'ё',
  yu: 'ю',
  ch: 'ч',
  sh: 'ш',
  oʻ: 'ў',
  gʻ: 'ғ',
  ʼ: 'ъ',
  a: 'а',
  b: 'б',
  d: 'д',
  e: 'е',
  f: 'ф',
  g: 'г',
  h: 'ҳ',
  i: 'и',
  j: 'ж',
  k: 'к',
  l: 'л',
  m: 'м',
  n: 'н',
  o: 'о',
  p: 'п',
  q: 'қ',
  r: 'р',
  s: 'с',
  t: 'т',
  u: 'у',
  v: 'в',
  x: 'х',
  y: 'й',
  z: 'з',
};

const either = (words: Record<string, string>): string => Object.keys(words).join('|');
const PIECE = new RegExp(
  `(?<latin>${LATIN.source})|(?<![a-zʻʼ])(?:(?<word>${either(WORDS)})|(?<first>e))|(?<=[aiou])(?<after>e)|${either(LETTERS)}`,
  'gi',
);

/** A piece in the case of the Latin one: `Sh` is `Ш`, `YOʻ` is `ЙЎ`. */
function inCaseOf(latin: string, cyrillic: string): string {
  if (latin === latin.toLowerCase()) return cyrillic;
  const isAll = latin.length > 1 && latin === latin.toUpperCase();
  const end = isAll ? cyrillic.slice(1).toUpperCase() : cyrillic.slice(1);
  return cyrillic.charAt(0).toUpperCase() + end;
}

/** Uzbek text in Cyrillic letters: `Toʻlov eʼlon qilindi` is `Тўлов эълон қилинди`. */
export function uzbekCyrillic(text: string): string {
  return text.replaceAll(PIECE, (piece, ...rest) => {
    const groups: Record<string, string | undefined> = rest.at(-1);
    if (groups.latin !== undefined) return piece;
    const small = piece.toLowerCase();
    if (groups.first !== undefined || groups.after !== undefined) return inCaseOf(piece, 'э');
    return inCaseOf(piece, WORDS[small] ?? LETTERS[small] ?? piece);
  });
}

/**
 * A message in Cyrillic letters: its words, not the names of its values, its tags and its choices.
 *
 * @throws for a message that has something else
 */
export function uzbekCyrillicMessage(message: string): string {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(message)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const words = (): string => {
    let said = '';
    while (at < message.length && message[at] !== '}') {
      const before = at;
      said += uzbekCyrillic(take(/[^{}<]+/y)) + take(/<[^>]*>|\{\w+\}/y);
      const choices = take(/\{\w+, (?:plural|select),/y);
      if (choices) said += choices + choiceTexts() + take(/\}/y);
      if (at === before) throw new Error(`no words of a message: ${message.slice(at)}`);
    }
    return said;
  };
  const choiceTexts = (): string => {
    const choice = take(/ ?[\w=]+ \{/y);
    return choice ? choice + words() + take(/\}/y) + choiceTexts() : '';
  };
  return words();
}
