/**
 * The sum of the positions, its difference from the invoice's amount, and the sums to show in one
 * column (bigint, minor units).
 */
export function totalsOf({
  positions,
  amountMinor,
}: {
  positions: readonly { amountMinor: number }[];
  amountMinor: bigint;
}) {
  const itemsMinor = positions.reduce((sum, each) => sum + BigInt(each.amountMinor), 0n);
  const columnMinor = [...positions.map((each) => BigInt(each.amountMinor)), amountMinor];
  return { itemsMinor, differenceMinor: amountMinor - itemsMinor, columnMinor };
}
