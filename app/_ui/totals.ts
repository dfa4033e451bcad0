import type { Invoice } from '#server/invoices/types.ts';

/** What the positions sum up to, and by how much the invoice differs (bigint, minor units). */
export function totalsOf({ positions, amountMinor }: Pick<Invoice, 'positions' | 'amountMinor'>) {
  const itemsMinor = positions.reduce((sum, each) => sum + BigInt(each.amountMinor), 0n);
  return { itemsMinor, differenceMinor: amountMinor - itemsMinor };
}
