import type { Invoice } from '#server/invoices/types.ts';

/**
 * What the positions sum up to, by how much the invoice differs, and the sums that stand in one
 * column where all of them are shown (bigint, minor units).
 */
export function totalsOf({ positions, amountMinor }: Pick<Invoice, 'positions' | 'amountMinor'>) {
  const itemsMinor = positions.reduce((sum, each) => sum + BigInt(each.amountMinor), 0n);
  const columnMinor = [...positions.map((each) => BigInt(each.amountMinor)), amountMinor];
  return { itemsMinor, differenceMinor: amountMinor - itemsMinor, columnMinor };
}
