import { translatorOf } from '#server/i18n/translator.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES, type Currency, minorUnitDigits } from '#server/lib/money.ts';
import type { ChartView } from '#server/trpc/rows.ts';
import { signedMoney } from '../register/_parts/signed-money.ts';
import { ChartChoices } from './chart-choices.tsx';
import type { ChartQuery } from './chart-query.ts';
import { ticksTo } from './chart-scale.ts';
import { DayChart } from './day-chart.tsx';
import { dayLabels } from './day-label.ts';
import type { DayRange } from './day-range.ts';
import { DayTable } from './day-table.tsx';
import { changeText, moneyOn, totalOf } from './overview-figures.ts';

type Props = {
  locale: Locale;
  base: string;
  range: DayRange;
  /** Whether the days before end at the present time of day. */
  isUntilNow: boolean;
  query: ChartQuery;
  view: ChartView;
  /** Shown where no currency has money in these days. */
  usualCurrency: Currency;
};

function Key({ color, name }: { color: string; name: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`swatch size-3 rounded-sm ${color}`} />
      {name}
    </span>
  );
}

/** The days with their figures in one currency, as numbers for the bars and as texts. */
function daysOf(currency: Currency, { locale, base, range, query, view }: Props) {
  const t = translatorOf(locale, 'overview');
  const { days } = range;
  const labels = dayLabels(range, locale);
  const moneys = days.map((_, index) => moneyOn(view.days[index], currency));
  const column = moneys.flatMap(({ grossMinor, refundedMinor }) => [grossMinor, refundedMinor]);
  const money = (minor: bigint): string => signedMoney(minor, currency, locale, column);
  const number = numberFormat(locale, {});
  return moneys.map(({ payments, grossMinor, refundedMinor }, index) => {
    const day = days[index] ?? '';
    const label = labels[index] ?? day;
    const net = grossMinor - refundedMinor;
    const span = { from: day, to: day };
    const parts = [
      `${t('received')} ${money(grossMinor)}`,
      ...(refundedMinor === 0n ? [] : [`${t('refunded')} ${money(-refundedMinor)}`]),
      t('count', { count: payments }),
    ];
    return {
      day,
      label,
      // Only the picture uses floats; every figure is exact.
      back: Number(grossMinor),
      front: Math.max(0, Number(net)),
      text: `${label}: ${parts.join(', ')}`,
      href: `${base}/invoices?${new URLSearchParams({ status: 'PAID', currency, by: query.by, ...span })}`,
      register: `${base}/register?day=${day}`,
      cells: {
        payments: number.format(payments),
        gross: money(grossMinor),
        refunded: money(-refundedMinor),
        net: money(net),
      },
    };
  });
}

function Total({ currency, ...props }: Props & { currency: Currency }) {
  const { locale, base, range, query, view, isUntilNow } = props;
  const t = translatorOf(locale, 'overview');
  const { grossMinor, refundedMinor, payments } = totalOf(view.days, currency);
  const before = moneyOn(view.before, currency);
  const span = { from: range.days[0] ?? '', to: range.days.at(-1) ?? '' };
  const money = (minor: bigint): string => signedMoney(minor, currency, locale);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <a
          href={`${base}/invoices?${new URLSearchParams({ status: 'PAID', currency, by: query.by, ...span })}`}
          className="wrap-anywhere rounded-sm font-semibold text-2xl tabular-nums tracking-tight underline-offset-4 hover:underline"
        >
          {money(grossMinor)}
        </a>
        <span className="text-muted text-sm tabular-nums">
          {t('count', { count: payments })}
          {refundedMinor !== 0n && ` · ${t('refunded')} ${money(-refundedMinor)}`}
        </span>
      </p>
      <p className="text-muted text-sm">
        <span className="tabular-nums">
          {changeText(Number(grossMinor), Number(before.grossMinor), locale, t)}
        </span>{' '}
        · {t('before', { days: range.days.length })}
        {isUntilNow && t('untilNow')}
      </p>
    </>
  );
}

/** One chart: what came in by day in one currency, with a switch to the others. */
export function MoneyChart(props: Props) {
  const { locale, query, view, range, usualCurrency } = props;
  const t = translatorOf(locale, 'overview');
  const used = CURRENCIES.filter((currency) =>
    [...view.days, view.before].some((day) => day.some((each) => each.currency === currency)),
  );
  // Most of what comes in is in the currency with the most payments.
  const most = [...used].sort(
    (a, b) => totalOf(view.days, b).payments - totalOf(view.days, a).payments,
  )[0];
  const shown = query.currency || (most ?? usualCurrency);
  const currencies = CURRENCIES.filter((each) => used.includes(each) || each === shown);
  const days = daysOf(shown, props);
  const unitMinor = 10 ** minorUnitDigits(shown);
  const short = numberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const ticks = ticksTo(Math.max(...days.map(({ back }) => back)), unitMinor).map((value) => ({
    value,
    text: short.format(value / unitMinor),
  }));
  const title = t(`byDay.${query.by}`);
  const hasRefunds = days.some(({ back, front }) => back !== front);
  return (
    <section className="card min-w-0 p-5" aria-labelledby="by-day">
      <h2 id="by-day" className="font-semibold">
        {title}
        {currencies.length > 1 && <>, {shown}</>}
      </h2>
      <Total {...props} currency={shown} />
      <ChartChoices {...props} currencies={currencies} shown={shown} />
      {range.isCut && <p className="mb-3 text-muted text-sm">{t('tooLong')}</p>}
      {hasRefunds && (
        <p className="mb-3 flex flex-wrap gap-x-4 text-muted text-sm">
          <Key color="bg-accent/40" name={t('refunded')} />
          <Key color="bg-accent" name={t('kept')} />
        </p>
      )}
      <DayChart
        title={title}
        days={days.map(({ cells: _, register: __, ...day }) => day)}
        ticks={ticks}
      />
      <DayTable
        summary={t('asTable')}
        heads={[t('day'), t('payments'), t('received'), t('refunded'), t('net')]}
        rows={days.toReversed().map(({ day, label, href, register, cells }) => ({
          key: day,
          cells: [
            { text: label },
            { text: cells.payments, href },
            { text: cells.gross, href },
            query.by === 'paid'
              ? { text: cells.refunded, href: register }
              : { text: cells.refunded },
            { text: cells.net },
          ],
        }))}
      />
    </section>
  );
}
