const MOST_STEPS = 4;
const ROUND = [1, 2, 2.5, 3, 4, 5, 10];

/**
 * Round figures from nought up to `most` or a little over it, five at the most: what bars are read
 * by.
 *
 * @param unit what every figure is a multiple of, a power of ten; 100 for amounts in cents
 */
export function ticksTo(most: number, unit = 1): number[] {
  const rough = Math.max(most / MOST_STEPS, unit);
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = ROUND.map((each) => each * power);
  const step = steps.find((each) => each >= rough && each % unit === 0) ?? rough;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** So few days are named each where there is plenty of room. */
export const EACH_UP_TO = 8;

/** How wide the chart must be for a day to be named. */
export type Room = 'any' | 'some' | 'plenty';

/**
 * Which of `count` days are named below their bars: the first and the last everywhere, the middle
 * one nearly so, where there is one in the middle.
 */
export function namedDays(count: number): { index: number; room: Room }[] {
  const last = count - 1;
  const at = (part: number): number => Math.round(last * part);
  const roomOf = (index: number): Room => {
    if (index === 0 || index === last) return 'any';
    return index === at(0.5) ? 'some' : 'plenty';
  };
  let between = [0.25, 0.5, 0.75];
  // Of few days that are even in number none is near the middle.
  if (count <= EACH_UP_TO) between = count % 2 === 1 ? [0.5] : [];
  const indexes = new Set([0, ...between, 1].map(at));
  return [...indexes].map((index) => ({ index, room: roomOf(index) }));
}
