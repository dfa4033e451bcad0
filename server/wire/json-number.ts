const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether a JSON number token stands for an integer, by its digits alone.
 *
 * A double rounds `1.0000000000000000001` to 1; the token says otherwise, and an
 * amount must be exact.
 */
export function isExactInteger(token: string): boolean {
  const match = NUMBER.exec(token);
  if (match === null) return false;
  const whole = match[1] ?? '';
  const fraction = match[2] ?? '';
  const digits = whole + fraction;
  const trailingZeros = countTrailingZeros(digits);
  if (trailingZeros === digits.length) return true;
  return Number(match[3] ?? '0') - fraction.length + trailingZeros >= 0;
}

function countTrailingZeros(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.length - end;
}
