/**
 * Checks a setting. Every comparison with NaN is false, so a limit of NaN would not limit anything.
 *
 * @throws TypeError that names it, unless it is a finite number of 0 or more
 */
export function checkedNumber(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a finite number, 0 or more`);
}
