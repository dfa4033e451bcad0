import type { Translator } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Currency } from '#server/lib/money.ts';
import type { ChartView } from '#server/trpc/rows.ts';

type Day = ChartView['before'];
/** What came and went in one currency. */
type Money = Omit<Day[number], 'currency'>;

const NOTHING: Money = { payments: 0, grossMinor: 0n, refundedMinor: 0n };

/** A day's figures in a currency; zeros where nothing moved. */
export function moneyOn(day: Day | undefined, currency: Currency): Money {
  return day?.find((each) => each.currency === currency) ?? NOTHING;
}

/** The sum of all days in a currency. */
export function totalOf(days: readonly Day[], currency: Currency): Money {
  return days
    .map((day) => moneyOn(day, currency))
    .reduce(
      (sum, { payments, grossMinor, refundedMinor }) => ({
        payments: sum.payments + payments,
        grossMinor: sum.grossMinor + grossMinor,
        refundedMinor: sum.refundedMinor + refundedMinor,
      }),
      NOTHING,
    );
}

/** A change above this only says that there was next to nothing before. */
const MOST = 9.99;

/** `+12.0%`: the change from before, in words if there is no ratio. */
export function changeText(
  now: number,
  before: number,
  locale: Locale,
  words: Translator<'overview'>,
): string {
  if (before === 0) return now === 0 ? words('same') : words('none');
  if (now === before) return words('same');
  const change = (now - before) / before;
  const format = numberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: Math.abs(change) < 1 ? 1 : 0,
    maximumFractionDigits: Math.abs(change) < 1 ? 1 : 0,
    signDisplay: 'exceptZero',
  });
  if (change > MOST) return `>${format.format(MOST)}`;
  // The languages' own formats write a hyphen.
  return format.format(change).replace('-', '−');
}

/** `71.5%`, or a dash of nothing. */
export function shareText(part: number, whole: number, locale: Locale): string {
  if (whole === 0) return '–';
  const format = numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return format.format(part / whole);
}
