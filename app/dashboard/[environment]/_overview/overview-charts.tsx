import { translatorOf } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES, formatMoney, minorUnitDigits } from '#server/lib/money.ts';
import type { OverviewView } from '#server/trpc/rows.ts';
import { ticksTo } from './chart-scale.ts';
import { DayChart } from './day-chart.tsx';
import { DayTable } from './day-table.tsx';
import { changeText, refundedOn, totalOf, volumeOn } from './overview-figures.ts';

export type ChartProps = {
  locale: Locale;
  days: string[];
  /** The days as `dayLabels` writes them. */
  labels: string[];
  view: OverviewView;
  /** The list of invoices with these filters, for the shown days or one of them. */
  listOf: (filters: Record<string, string>, day?: string) => string;
};

function Key({ color, name }: { color: string; name: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`swatch size-3 rounded-sm ${color}`} />
      {name}
    </span>
  );
}

/** Invoices created, and the paid ones among them, by day. */
export function InvoiceChart({ locale, days, labels, view, listOf }: ChartProps) {
  const t = translatorOf(locale, 'dashboard.overview');
  const number = numberFormat(locale, {});
  const shown = days.map((day, index) => {
    const { created = 0, paid = 0 } = view.days[index] ?? {};
    const label = labels[index] ?? day;
    const text = `${label}: ${t('created')} ${number.format(created)}, ${t('paid')} ${number.format(paid)}`;
    return { day, label, back: created, front: paid, text, href: listOf({}, day) };
  });
  const ticks = ticksTo(Math.max(...shown.map(({ back }) => back))).map((value) => ({
    value,
    text: number.format(value),
  }));
  return (
    <section className="card p-5" aria-labelledby="by-day">
      <h2 id="by-day" className="font-semibold">
        {t('byDay')}
      </h2>
      <div className="mb-4 flex flex-wrap justify-between gap-x-6 gap-y-1 text-muted text-sm">
        <p>{t('byDayNote')}</p>
        <p className="flex flex-wrap gap-x-4">
          <Key color="bg-accent/40" name={t('created')} />
          <Key color="bg-accent" name={t('paid')} />
        </p>
      </div>
      <DayChart title={t('byDay')} days={shown} ticks={ticks} />
      <DayTable
        summary={t('asTable')}
        heads={[t('day'), t('created'), t('paid')]}
        rows={shown.toReversed().map(({ day, label, back, front }) => ({
          key: day,
          cells: [
            { text: label },
            { text: number.format(back), href: listOf({}, day) },
            { text: number.format(front), href: listOf({ status: 'PAID' }, day) },
          ],
        }))}
      />
    </section>
  );
}

/** The volume paid in one currency, by day. */
function VolumeChart({
  currency,
  ...props
}: ChartProps & { currency: (typeof CURRENCIES)[number] }) {
  const { locale, days, labels, view, listOf } = props;
  const t = translatorOf(locale, 'dashboard.overview');
  const total = totalOf(view.days).volumes.get(currency)?.amountMinor ?? 0n;
  const before = totalOf(view.daysBefore).volumes.get(currency)?.amountMinor ?? 0n;
  const columnMinor = days.map((_, index) => volumeOn(view.days[index], currency));
  const refundsMinor = days.map((_, index) => refundedOn(view.days[index], currency));
  const refunded = refundsMinor.reduce((sum, each) => sum + each, 0n);
  const column = [...columnMinor, ...refundsMinor];
  const money = (minor: bigint): string => formatMoney(minor, currency, locale, column);
  const shown = days.map((day, index) => {
    const amountMinor = columnMinor[index] ?? 0n;
    const refundedMinor = refundsMinor[index] ?? 0n;
    const label = labels[index] ?? day;
    const amount = money(amountMinor);
    const rest = [money(refundedMinor), money(amountMinor - refundedMinor)];
    // Only the picture uses a float; every figure is exact.
    const front = Number(amountMinor);
    const href = listOf({ status: 'PAID', currency }, day);
    return { day, label, amount, rest, back: front, front, text: `${label}: ${amount}`, href };
  });
  const unitMinor = 10 ** minorUnitDigits(currency);
  const short = numberFormat(locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const most = Math.max(...shown.map(({ back }) => back));
  const ticks = ticksTo(most, unitMinor).map((value) => ({
    value,
    text: short.format(value / unitMinor),
  }));
  return (
    <section className="card min-w-0 p-5" aria-labelledby={`volume-${currency}`}>
      <h3 id={`volume-${currency}`} className="text-muted text-sm">
        {t('volume')}, {currency}
      </h3>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
        <a
          href={listOf({ status: 'PAID', currency })}
          className="wrap-anywhere font-semibold text-xl tabular-nums tracking-tight hover:underline"
        >
          {formatMoney(total, currency, locale)}
        </a>
        <span className="text-muted text-sm">
          {changeText(Number(total), Number(before), locale, t)}
        </span>
      </p>
      {refunded > 0n && (
        <p className="wrap-anywhere text-sm tabular-nums">
          {t('refunded')} {formatMoney(refunded, currency, locale)} · {t('net')}{' '}
          {formatMoney(total - refunded, currency, locale)}
        </p>
      )}
      <div className="h-4" />
      <DayChart
        title={`${t('volume')}, ${currency}`}
        days={shown.map(({ amount, rest, ...each }) => each)}
        ticks={ticks}
      />
      <DayTable
        summary={t('asTable')}
        heads={[t('day'), t('amount'), ...(refunded > 0n ? [t('refunded'), t('net')] : [])]}
        rows={shown.toReversed().map(({ day, label, amount, rest, href }) => ({
          key: day,
          cells: [
            { text: label },
            { text: amount, href },
            ...(refunded > 0n ? rest.map((text) => ({ text })) : []),
          ],
        }))}
      />
    </section>
  );
}

/** One chart a currency: currencies are never added up. */
export function VolumeCharts(props: ChartProps) {
  const t = translatorOf(props.locale, 'dashboard.overview');
  const { view } = props;
  const now = totalOf(view.days).volumes;
  const before = totalOf(view.daysBefore).volumes;
  const used = CURRENCIES.filter((currency) => now.has(currency) || before.has(currency));
  return (
    <section aria-labelledby="volume">
      <h2 id="volume" className="font-semibold">
        {t('volume')}
      </h2>
      <p className="mb-3 text-muted text-sm">{used.length > 0 ? t('volumeNote') : t('noVolume')}</p>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {used.map((currency) => (
          <VolumeChart key={currency} {...props} currency={currency} />
        ))}
      </div>
    </section>
  );
}
