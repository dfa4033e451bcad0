import { foldCase } from '../../lib/typed-text.ts';
import { readTimes } from './read-times.ts';
import { AMOUNT, amountOf } from './read-words.ts';

const ABOUT = new RegExp(
  `(?<!\\S)(?:[~≈] ?|(?:about|around|approx\\.?|approximately|roughly|около|примерно|порядка|taxminan) )(${AMOUNT})(?!\\S)|(?<!\\S)(${AMOUNT}) atrofida(?!\\S)`,
  'iu',
);
/** An amount that is about another differs by a twentieth of it at most. */
const ABOUT_PART = 20n;

type Narrowable = {
  search: string;
  fromMs: number | null;
  untilMs: number | null;
  minAmountMinor: bigint | null;
  maxAmountMinor: bigint | null;
};

type Bound = number | bigint | null;
const tighter = <Value extends Bound>(one: Value, other: Value, isTighter: boolean): Value =>
  one === null || (other !== null && !isTighter) ? other : one;
const later = <Value extends Bound>(one: Value, other: Value): Value =>
  tighter(one, other, one !== null && other !== null && one > other);
const earlier = <Value extends Bound>(one: Value, other: Value): Value =>
  tighter(one, other, one !== null && other !== null && one < other);

/**
 * The filters narrowed by what their search says of time and of an amount, in English, Russian or
 * Uzbek: `about 80000 today 12:00-13:00`. The search keeps the rest of the text.
 */
export function narrow<Filters extends Narrowable>(
  filters: Filters,
  clock: { now: Date; timeZone: string },
): Filters {
  const folded = foldCase(filters.search);
  const { rest, fromMs, untilMs } = readTimes(folded, clock);
  const about = ABOUT.exec(rest);
  const amountMinor = amountOf(about?.[1] ?? about?.[2] ?? '');
  // Without them the text stays as it was typed: ids are told apart by their case.
  if (fromMs === null && amountMinor === null) return filters;
  const timed = {
    ...filters,
    search: rest,
    fromMs: later(filters.fromMs, fromMs),
    untilMs: earlier(filters.untilMs, untilMs),
  };
  if (amountMinor === null || !about) return timed;
  const offMinor = amountMinor / ABOUT_PART;
  return {
    ...timed,
    search: rest.replace(about[0], ' ').replaceAll(/\s+/g, ' ').trim(),
    minAmountMinor: later(filters.minAmountMinor, amountMinor - offMinor),
    maxAmountMinor: earlier(filters.maxAmountMinor, amountMinor + offMinor),
  };
}
