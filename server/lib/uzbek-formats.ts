/**
 * Uzbek dates and numbers. Intl writes them on the server, but Chromium does not know Uzbek: `2026
 * M11 21`, `1.5K`. They are those of Unicode's CLDR, but for a whole date, whose order is that of
 * Uzbek letters and laws: `2026-yil 21-noyabr`, where CLDR has `21-noyabr, 2026`.
 */

const MONTHS = [
  'yanvar',
  'fevral',
  'mart',
  'aprel',
  'may',
  'iyun',
  'iyul',
  'avgust',
  'sentabr',
  'oktabr',
  'noyabr',
  'dekabr',
];
const WEEKDAYS = ['yakshanba', 'dushanba', 'seshanba', 'chorshanba', 'payshanba', 'juma', 'shanba'];
const SHORT_WEEKDAYS = ['Yak', 'Dush', 'Sesh', 'Chor', 'Pay', 'Jum', 'Shan'];

const TIME = ['hour', 'minute', 'second'] as const;

/** `noy`, but `iyn` and `iyl`, which would else be one. */
const shortMonth = (name: string): string => name.replace('iyu', 'iy').slice(0, 3);

type DateOptions = Intl.DateTimeFormatOptions;

/** A style as the fields that it stands for. */
function fieldsOf({ dateStyle, timeStyle, ...options }: DateOptions): DateOptions {
  return {
    ...(dateStyle && { day: 'numeric', month: 'long', year: 'numeric' }),
    ...(dateStyle === 'medium' && { month: 'short' }),
    ...(dateStyle === 'full' && { weekday: 'long' }),
    ...(timeStyle && { hour: '2-digit', minute: '2-digit' }),
    ...(timeStyle && timeStyle !== 'short' && { second: '2-digit' }),
    ...(timeStyle === 'long' && { timeZoneName: 'short' }),
    ...options,
  };
}

/** What `uzbekDate` needs to know of a time. */
export const DATE_NUMBERS = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const;

/** Writes a time with the styles and fields that the pages use. */
export function uzbekDate(numbers: Intl.DateTimeFormatPart[], options: DateOptions): string {
  const fields = fieldsOf(options);
  const parts = Object.fromEntries(numbers.map(({ type, value }) => [type, value]));
  const [day, month, year] = [Number(parts.day), Number(parts.month), Number(parts.year)];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const name = MONTHS[month - 1] ?? '';
  const time = TIME.filter((type) => fields[type]).map((type) => parts[type]);
  const dayName =
    fields.weekday && (fields.weekday === 'long' ? WEEKDAYS : SHORT_WEEKDAYS)[weekday];
  const isWhole = fields.year && fields.month === 'long';
  const date = isWhole
    ? [`${year}-yil ${day}-${name}`, dayName]
    : [
        dayName,
        fields.month && `${day}-${fields.month === 'short' ? shortMonth(name) : name}`,
        fields.year && year,
      ];
  const said = [...date, time.join(':')];
  const zone = fields.timeZoneName ? ` (${parts.timeZoneName})` : '';
  return said.filter(Boolean).join(', ') + zone;
}

/** The words beside figures, by the Russian ones. */
const WORDS = new Map([
  ['тыс.', 'ming'],
  ['млн', 'mln'],
  ['млрд', 'mlrd'],
  ['трлн', 'trln'],
  ['дн.', 'kun'],
  ['д.', 'kun'],
  ['ч', 'soat'],
  ['мин', 'daq.'],
  ['с', 'son.'],
  ['мс', 'ms'],
]);

/** Writes a number as Russian does, which has the same figures, but with Uzbek words. */
export function uzbekNumber(russian: Intl.NumberFormatPart[]): string {
  const text = russian.map(({ value }) => WORDS.get(value) ?? value).join('');
  return text.replace(/\s%$/, '%');
}
