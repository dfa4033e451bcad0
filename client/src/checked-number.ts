/**
 * Of a setting. With a number that is none every comparison is false, and what it limits has no
 * limit.
 *
 * @throws TypeError that names it, when it is no finite number of 0 or more
 */
export function checkedNumber(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a finite number, 0 or more`);
}
