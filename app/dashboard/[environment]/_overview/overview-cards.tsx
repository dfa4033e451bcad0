import { countText } from '#app/_i18n/count-text.ts';
import { durationText } from '#app/_i18n/duration-text.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { MEDIAN_OF } from '#server/invoices/types.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { OverviewView } from '#server/trpc/rows.ts';
import { changeText, shareText, totalOf } from './overview-figures.ts';

/** The median is taken from this many of the newest paid invoices. */

type Props = {
  locale: Locale;
  view: OverviewView;
  base: string;
  listOf: (filters: Record<string, string>) => string;
};

function Card({
  name,
  value,
  note,
  href,
  isBad = false,
}: {
  name: string;
  value: string;
  note: string;
  href: string;
  isBad?: boolean;
}) {
  return (
    <li className="card relative row-span-3 grid grid-rows-subgrid gap-y-1 p-5 last:col-span-full hover:bg-sunk @lg:col-span-2 @4xl:!col-span-1 @lg:nth-last-[-n+2]:col-span-3">
      <p className="text-muted text-sm">{name}</p>
      <p>
        {/* The link covers the card. */}
        <a
          href={href}
          aria-label={`${name}: ${value}`}
          className={`font-semibold text-2xl tabular-nums tracking-tight outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:outline-focus ${isBad ? 'text-negative' : ''}`}
        >
          {value}
        </a>
      </p>
      <p className="text-muted text-sm first-letter:uppercase">{note}</p>
    </li>
  );
}

/** The figures of the range, each with a link to the list that it sums. */
export function OverviewCards({ locale, view, base, listOf }: Props) {
  const t = translatorOf(locale, 'dashboard.overview');
  const now = totalOf(view.days);
  const before = totalOf(view.daysBefore);
  const number = numberFormat(locale, {});
  const change = (a: number, b: number): string => changeText(a, b, locale, t);
  const rateBefore = shareText(before.paid, before.created, locale);
  const exhausted = countText(view.exhausted, view.exhaustedIsMore, locale);
  const median = (ms: number | null): string =>
    ms === null ? '–' : durationText(ms, locale, 'narrow');
  const medianBefore = `${t('was')} ${median(view.medianBeforeMs)}`;
  const medianNote = now.paid > MEDIAN_OF ? `${medianBefore}; ${t('medianNote')}` : medianBefore;
  return (
    // Two, three or five cards a row, one with very large text; names, figures and notes align.
    <div className="@container">
      <ul className="grid grid-cols-1 gap-4 @min-[16rem]:grid-cols-2 @lg:grid-cols-6 @4xl:grid-cols-5">
        <Card
          name={t('created')}
          value={number.format(now.created)}
          note={change(now.created, before.created)}
          href={listOf({})}
        />
        <Card
          name={t('paid')}
          value={number.format(now.paid)}
          note={change(now.paid, before.paid)}
          href={listOf({ status: 'PAID' })}
        />
        <Card
          name={t('conversion')}
          value={shareText(now.paid, now.created, locale)}
          note={`${t('was')} ${rateBefore}`}
          href={listOf({ status: 'PAID' })}
        />
        <Card
          name={t('median')}
          value={median(view.medianMs)}
          note={medianNote}
          href={listOf({ status: 'PAID' })}
        />
        <Card
          name={t('attention')}
          value={exhausted}
          note={view.exhausted === 0 ? t('attentionNone') : t('attentionSome')}
          href={`${base}/callbacks?state=exhausted`}
          isBad={view.exhausted > 0}
        />
      </ul>
    </div>
  );
}
