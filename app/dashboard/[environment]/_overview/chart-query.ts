import { CURRENCIES, type Currency } from '#server/lib/money.ts';
import { oneOf, queryText, type SearchParams } from '../../_shared/lists/query-text.ts';
import type { DayRange } from './day-range.ts';

/** The day on which money counts: that of its payment, or that of its invoice. */
export const CHART_BASES = ['paid', 'created'] as const;
export type ChartBasis = (typeof CHART_BASES)[number];

/** What the address chooses of the chart; the currency is `''` without a choice. */
export type ChartQuery = { by: ChartBasis; currency: '' | Currency };

/** Reads the address: `?by=created&currency=UZS`. */
export function readChartQuery(search: SearchParams): ChartQuery {
  return {
    by: oneOf(CHART_BASES, queryText(search.by)) || 'paid',
    currency: oneOf(CURRENCIES, queryText(search.currency)),
  };
}

/** The overview's address with these choices; what is usual is left out. */
export function chartAddress(
  base: string,
  { by, currency }: ChartQuery,
  { preset, days }: Pick<DayRange, 'preset' | 'days'>,
): string {
  const search = new URLSearchParams();
  if (preset === null) {
    search.set('from', days[0] ?? '');
    search.set('to', days.at(-1) ?? '');
  } else if (preset !== 7) {
    search.set('range', String(preset));
  }
  if (by !== 'paid') search.set('by', by);
  if (currency !== '') search.set('currency', currency);
  return `${search.size > 0 ? `${base}?${search}` : base}#by-day`;
}
