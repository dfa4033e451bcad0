import type { Translator } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OverviewView } from '#server/trpc/rows.ts';

/** The spans before have no refunds. */
type Span = OverviewView['daysBefore'][number];
type Day = OverviewView['days'][number];
type Volume = Span['volumes'][number];

/** The sum of all days. */
export function totalOf(spans: readonly Span[]) {
  const volumes = new Map<Volume['currency'], { paid: number; amountMinor: bigint }>();
  let created = 0;
  let paid = 0;
  for (const span of spans) {
    created += span.created;
    paid += span.paid;
    for (const { currency, paid: count, amountMinor } of span.volumes) {
      const so = volumes.get(currency) ?? { paid: 0, amountMinor: 0n };
      volumes.set(currency, { paid: so.paid + count, amountMinor: so.amountMinor + amountMinor });
    }
  }
  return { created, paid, volumes };
}

/** A change above this only says that there was next to nothing before. */
const MOST = 9.99;

/** `+12.0%`: the change from before, in words if there is no ratio. */
export function changeText(
  now: number,
  before: number,
  locale: Locale,
  words: Translator<'dashboard.overview'>,
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

/** `71.5%`, or a dash when nothing was created. */
export function shareText(part: number, whole: number, locale: Locale): string {
  if (whole === 0) return '–';
  const format = numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return format.format(part / whole);
}

/** The amount of a currency on a day, in minor units. */
export function volumeOn(span: Span | undefined, currency: Volume['currency']): bigint {
  return span?.volumes.find((each) => each.currency === currency)?.amountMinor ?? 0n;
}

/** What was refunded in a currency of a day's invoices, in minor units. */
export function refundedOn(day: Day | undefined, currency: Volume['currency']): bigint {
  return day?.volumes.find((each) => each.currency === currency)?.refundedMinor ?? 0n;
}
