import { type Currency, readAmount, toDecimalString } from '#server/lib/money.ts';

/**
 * Reads an amount that somebody can be asked to pay, as `readAmount` does.
 *
 * @returns null for anything but an amount above zero
 */
export function parseAmount(text: string): bigint | null {
  const minor = readAmount(text);
  return minor !== null && minor > 0n ? minor : null;
}

/** Writes an amount into a field, as somebody would type it. */
export function presetAmount(amountMinor: bigint, currency: Currency): string {
  return toDecimalString(amountMinor, currency).replace(/\.0+$/, '');
}
