/** The most that an invoice can hold, minor units: exact in every JSON reader. */
export const MAX_MINOR = 9_007_199_254_740_991n;

/** `12.5` → 1250n: the minor units of a currency with two decimals. Null for what is no amount. */
export function readMinor(bare: string): bigint | null {
  const match = /^(\d{1,14})(?:[.,](\d{1,2}))?$/.exec(bare);
  if (!match) return null;
  return BigInt(match[1] ?? '0') * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}

/**
 * Reads an amount as a person types it, in the main unit of a currency with two
 * decimals: `1 234,5` is 123450 minor units. No float in between.
 *
 * @returns null for what is no amount above zero
 */
export function parseAmount(text: string): bigint | null {
  const bare = text.replace(/(?<=\d)[\s\u00a0\u202f](?=\d)/g, '').trim();
  const minor = readMinor(bare);
  return minor !== null && minor > 0n ? minor : null;
}
