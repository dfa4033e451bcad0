const MOST_STEPS = 4;
const ROUND = [1, 2, 2.5, 3, 4, 5, 10];

/**
 * Round figures from zero to `most` or just above it, five at most, as the scale of the bars.
 *
 * @param unit each figure is a multiple of it, a power of ten; 100 for amounts in cents
 */
export function ticksTo(most: number, unit = 1): number[] {
  const rough = Math.max(most / MOST_STEPS, unit);
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = ROUND.map((each) => each * power);
  const step = steps.find((each) => each >= rough && each % unit === 0) ?? rough;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Up to this many days are all named in plenty of room. */
export const EACH_UP_TO = 8;

/** The chart's width from which a day is named. */
export type Room = 'any' | 'some' | 'plenty';

/**
 * The days of `count` that are named below their bars: the first and last always, a middle one, if
 * there is one, in most widths.
 */
export function namedDays(count: number): { index: number; room: Room }[] {
  const last = count - 1;
  const at = (part: number): number => Math.round(last * part);
  const roomOf = (index: number): Room => {
    if (index === 0 || index === last) return 'any';
    return index === at(0.5) ? 'some' : 'plenty';
  };
  let between = [0.25, 0.5, 0.75];
  // A small even number of days has none near the middle.
  if (count <= EACH_UP_TO) between = count % 2 === 1 ? [0.5] : [];
  const indexes = new Set([0, ...between, 1].map(at));
  return [...indexes].map((index) => ({ index, room: roomOf(index) }));
}
