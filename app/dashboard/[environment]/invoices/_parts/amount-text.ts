import { fromDecimalString } from '#server/lib/money.ts';

/**
 * Reads an amount as a person types it, in the main unit of its currency: `1 234,5` is 123450
 * minor units.
 *
 * @returns null for what is no amount above zero
 */
export function parseAmount(text: string): bigint | null {
  const bare = text.replace(/(?<=\d)[\s\u00a0\u202f](?=\d)/g, '').trim();
  const minor = fromDecimalString(bare);
  return minor !== null && minor > 0n ? minor : null;
}
