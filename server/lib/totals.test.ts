import { expect, test } from 'vitest';
import { totalsOf } from './totals.ts';

const positions = (...amounts: number[]) =>
  amounts.map((amountMinor) => ({ title: 'x', amountMinor, currency: 'UZS' as const }));

test.each([
  [[1000, 500], 1500n, 1500n, 0n],
  [[1000, 700], 1500n, 1700n, -200n],
  [[1000], 1500n, 1000n, 500n],
])(
  'positions of %j in an invoice of %s sum to %s and differ by %s',
  (amounts, amountMinor, itemsMinor, differenceMinor) => {
    expect(totalsOf({ positions: positions(...amounts), amountMinor })).toEqual({
      itemsMinor,
      differenceMinor,
      columnMinor: [...amounts.map(BigInt), amountMinor],
    });
  },
);

test('the sum is exact beyond the integers of a double', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const { itemsMinor } = totalsOf({ positions: positions(most, most, most), amountMinor: 1n });
  expect(itemsMinor).toBe(27021597764222973n);
});
