import { isDay } from '../../lib/formats.ts';
import { dayOf, instantInDay, shiftedDay, startOfDay } from '../../lib/zone-days.ts';

/** What a text says of time, and the rest of it. Milliseconds; null where it says nothing. */
export type ReadTimes = { rest: string; fromMs: number | null; untilMs: number | null };

type Clock = { now: Date; timeZone: string };

// The months' names and their short forms, in English, Russian and Uzbek in both scripts.
const MONTHS = [
  'jan(?:uary)?|янв(?:ар[яь]?)?|yan(?:var)?',
  'feb(?:ruary)?|фев(?:р|рал[яь]?)?|fev(?:ral)?',
  'mar(?:ch)?|мар(?:та?)?|mart',
  'apr(?:il)?|апр(?:ел[яь]?)?|aprel',
  'may|ма[йя]',
  'june?|июн[яь]?|iyun',
  'july?|июл[яь]?|iyul',
  'aug(?:ust)?|авг(?:уста?)?|avg(?:ust)?',
  'sep(?:t|tember)?|сент?(?:ябр[яь]?|абр)?|sent?(?:abr|yabr)?',
  'oct(?:ober)?|окт(?:ябр[яь]?|абр)?|okt(?:abr|yabr)?',
  'nov(?:ember)?|ноя(?:б|бр[яь]?)?|noy(?:abr)?',
  'dec(?:ember)?|дек(?:абр[яь]?)?|dek(?:abr)?',
];
const MONTH = `(?:${MONTHS.join('|')})\\.?`;
const IS_MONTH = MONTHS.map((names) => new RegExp(`^(?:${names})\\.?$`, 'u'));
const DAYS_AGO: [RegExp, number][] = [
  [/^(?:day before yesterday|позавчера|avvalgi kun|o'tgan kuni)$/, 2],
  [/^(?:yesterday|вчера|kecha|кеча)$/, 1],
  [/^(?:today|сегодня|bugun|бугун)$/, 0],
];

const ALONE = { before: '(?<![\\p{L}\\p{N}:.,-])', after: '(?![\\p{L}\\p{N}:])' };
const alone = (pattern: string) => new RegExp(ALONE.before + pattern + ALONE.after, 'u');

const NAMED_DAY = alone(
  "(day before yesterday|yesterday|today|позавчера|вчера|сегодня|avvalgi kun|o'tgan kuni|kecha|bugun|кеча|бугун)",
);
const DAY_MONTH = alone(
  `(\\d{1,2})[ -]?(${MONTH})(?:[ ,]+(\\d{4})(?: ?(?:г\\.?|года|yil))?)?(?:da)?`,
);
const MONTH_DAY = alone(`(${MONTH}) (\\d{1,2})(?:,? (\\d{4}))?`);
const ISO_DAY = alone('(\\d{4})-(\\d{2})-(\\d{2})');
const NUMBERED_DAY = alone('(\\d{1,2})[./](\\d{1,2})[./](\\d{4})');

const TIME = '(\\d{1,2})(?::(\\d{2}))? ?([ap]m)?';
const RANGE = alone(
  `(?:(?:from|between|с|со|soat) )?${TIME} ?(?:-|to|and|till|until|до|по|dan)(?: ?-)? ?${TIME}(?: ?gacha)?`,
);
const MOMENT = alone(
  '(?:(?:at|around|about|в|около|soat) )?(?:(\\d{1,2}):(\\d{2}) ?([ap]m)?|(\\d{1,2}) ?([ap]m))(?: ?da)?',
);
/** A time alone stands for half an hour before it and after it. */
const AROUND_MINUTES = 30;
const DAY_MINUTES = 24 * 60;

const pad = (part: string | number): string => String(part).padStart(2, '0');

function minutesOf(hour: string, minute: string | undefined, half: string | undefined) {
  const hours = half ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour);
  const minutes = Number(minute ?? 0);
  return hours <= 24 && minutes < 60 ? hours * 60 + minutes : null;
}

type Found<Value> = { value: Value; rest: string };

/** Takes the first match that has a value out of a text. */
function take<Value>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Value | null,
): Found<Value> | null {
  const match = pattern.exec(text);
  const value = match && read(match);
  if (!match || value === null) return null;
  const rest = text.slice(0, match.index) + text.slice(match.index + match[0].length);
  return { value, rest: rest.replaceAll(/\s+/g, ' ').trim() };
}

/** A day of this year or, where that is still to come, of the last. */
function dayIn(year: string | undefined, month: number, day: string, today: string) {
  const inYear = (each: string | number) => `${each}-${pad(month)}-${pad(day)}`;
  if (year) return isDay(inYear(year)) ? inYear(year) : null;
  const thisYear = Number(today.slice(0, 4));
  return (
    [inYear(thisYear), inYear(thisYear - 1)].find((each) => isDay(each) && each <= today) ?? null
  );
}

const monthOf = (name: string): number => IS_MONTH.findIndex((each) => each.test(name)) + 1;

function takeDay(text: string, today: string): Found<string> | null {
  return (
    take(text, NAMED_DAY, ([, name = '']) => {
      const ago = DAYS_AGO.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
      return shiftedDay(today, -ago);
    }) ??
    take(text, ISO_DAY, ([day]) => (isDay(day) ? day : null)) ??
    take(text, NUMBERED_DAY, ([, day = '', month, year]) =>
      dayIn(year, Number(month), day, today),
    ) ??
    take(text, DAY_MONTH, ([, day = '', month = '', year]) =>
      dayIn(year, monthOf(month), day, today),
    ) ??
    take(text, MONTH_DAY, ([, month = '', day = '', year]) =>
      dayIn(year, monthOf(month), day, today),
    )
  );
}

type Minutes = { from: number; until: number };

/** Bare hours are times only beside a day: `12-13` may be an order number. */
function takeMinutes(text: string, hasDay: boolean): Found<Minutes> | null {
  const range = take(text, RANGE, (match) => {
    const [, hour = '', minute, half, hour2 = '', minute2, half2] = match;
    if (!hasDay && !minute && !half && !minute2 && !half2) return null;
    const from = minutesOf(hour, minute, half ?? half2);
    const until = minutesOf(hour2, minute2, half2);
    if (from === null || until === null || from === until) return null;
    return { from, until: until > from ? until : until + DAY_MINUTES };
  });
  if (range) return range;
  return take(text, MOMENT, ([, hour, minute, half, bareHour, bareHalf]) => {
    const at = minutesOf(hour ?? bareHour ?? '', minute, half ?? bareHalf);
    return at === null ? null : { from: at - AROUND_MINUTES, until: at + AROUND_MINUTES };
  });
}

/**
 * Reads the day and the hours in a folded text: `today 12:00-13:00`, `вчера`, `27-noyabr 12:00`,
 * `12:00-13:00` alone, which was today or, where that is still to come, yesterday.
 */
export function readTimes(folded: string, { now, timeZone }: Clock): ReadTimes {
  const today = dayOf(now.getTime(), timeZone);
  const day = takeDay(folded, today);
  const minutes = takeMinutes(day?.rest ?? folded, day !== null);
  if (!minutes) {
    const span = day && {
      fromMs: startOfDay(day.value, 0, timeZone),
      untilMs: startOfDay(day.value, 1, timeZone),
    };
    return { rest: day?.rest ?? folded, fromMs: null, untilMs: null, ...span };
  }
  const { from, until } = minutes.value;
  const isToCome = !day && instantInDay(today, from, timeZone) > now.getTime();
  const on = day?.value ?? shiftedDay(today, isToCome ? -1 : 0);
  return {
    rest: minutes.rest,
    fromMs: instantInDay(on, from, timeZone),
    untilMs: instantInDay(on, until, timeZone),
  };
}
