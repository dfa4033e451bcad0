import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { businessSession } from '../_server/api.ts';
import { viewerZone } from '../_server/zone.ts';
import { CheckedInput } from '../_shared/forms/checked-input.tsx';
import { INPUT } from '../_shared/forms/form-field.tsx';
import { OverviewEmpty } from '../_shared/lists/overview-empty.tsx';
import type { SearchParams } from '../_shared/lists/query-text.ts';
import { PageTitle } from '../_shared/page-title.tsx';
import { dayLabels } from './_overview/day-label.ts';
import {
  type DayRange,
  edgesBefore,
  edgesOf,
  RANGES,
  readDayRange,
} from './_overview/day-range.ts';
import { OpenDisputes } from './_overview/open-disputes.tsx';
import { OverviewCards } from './_overview/overview-cards.tsx';
import { InvoiceChart, VolumeCharts } from './_overview/overview-charts.tsx';
import { totalOf } from './_overview/overview-figures.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.overview');
  return { title: t('title') };
}

function RangePicker({ locale, base, range }: { locale: Locale; base: string; range: DayRange }) {
  const t = translatorOf(locale, 'dashboard.overview');
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
      <nav aria-label={t('range')} className="min-w-0">
        <ul className="flex flex-wrap rounded-control border border-line bg-surface p-0.5 text-sm">
          {RANGES.map((count) => (
            <li key={count}>
              <a
                href={`${base}?range=${count}`}
                aria-current={range.preset === count ? 'true' : undefined}
                className={`block rounded-lg px-3 py-1.5 ${
                  range.preset === count ? 'bg-sunk font-semibold' : 'text-muted hover:text-ink'
                }`}
              >
                {t('days', { count })}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form action={base} className="flex min-w-0 flex-wrap items-start gap-2 max-sm:w-full">
        {(['from', 'to'] as const).map((name) => (
          <div key={name} className="min-w-[min(8rem,100%)] flex-1 sm:flex-none">
            <CheckedInput
              id={name}
              name={name}
              type="date"
              required
              aria-label={t(name)}
              defaultValue={range.days.at(name === 'from' ? 0 : -1)}
              className={`${INPUT} !px-2.5 !text-sm sm:!w-auto`}
            />
          </div>
        ))}
        <button type="submit" className="button button-plain button-compact">
          {t('show')}
        </button>
      </form>
    </div>
  );
}

/** The figures by day; each leads to the invoices that it counts. */
export default async function OverviewPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard.overview');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [search, timeZone] = await Promise.all([
    searchParams,
    viewerZone(session.merchant.timeZone),
  ]);
  const nowMs = Date.now();
  const range = readDayRange(search, nowMs, timeZone);
  const { days } = range;
  const before = edgesBefore(range, timeZone, nowMs);
  const view = await api.overview.read({
    edgesMs: edgesOf(days, timeZone),
    beforeEdgesMs: before.edgesMs,
  });
  const disputes = await api.acquirers.openDisputes();
  const base = `/dashboard/${environment}`;
  const isEmpty = totalOf(view.days).created === 0;
  // Only an empty overview asks for the list and the role.
  const [newest, { permissions }] = isEmpty
    ? await Promise.all([api.invoices.list({ limit: 1 }), api.account.current()])
    : [null, { permissions: [] as string[] }];
  const listOf = (filters: Record<string, string>, day?: string): string => {
    const span = { from: day ?? days[0] ?? '', to: day ?? days.at(-1) ?? '' };
    return `${base}/invoices?${new URLSearchParams({ ...filters, ...span })}`;
  };
  const charts = { locale, days, labels: dayLabels(range, locale), view, listOf };
  return (
    <>
      <PageTitle title={t('title')}>
        <RangePicker locale={locale} base={base} range={range} />
      </PageTitle>
      <p className="-mt-2 mb-4 text-muted text-sm">
        {range.isCut && `${t('tooLong')} `}
        {t('before', { days: days.length })}
        {before.isUntilNow && t('untilNow')}
      </p>
      <div className="grid grid-cols-1 gap-6">
        <OpenDisputes disputes={disputes} base={base} locale={locale} timeZone={timeZone} />
        <OverviewCards locale={locale} view={view} base={base} listOf={listOf} />
        {newest ? (
          <OverviewEmpty
            locale={locale}
            base={base}
            isNew={newest.invoices.length === 0}
            permissions={permissions}
          />
        ) : (
          <>
            <InvoiceChart {...charts} />
            <VolumeCharts {...charts} />
          </>
        )}
      </div>
    </>
  );
}
