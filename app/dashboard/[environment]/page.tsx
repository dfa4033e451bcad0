import type { Metadata } from 'next';
import { Suspense } from 'react';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { businessSession, currentAccount } from '../_server/api.ts';
import { OverviewEmpty } from '../_shared/lists/overview-empty.tsx';
import type { SearchParams } from '../_shared/lists/query-text.ts';
import { PageTitle } from '../_shared/page-title.tsx';
import { readChartQuery } from './_overview/chart-query.ts';
import { edgesBefore, edgesOf, readDayRange } from './_overview/day-range.ts';
import { FirstSteps } from './_overview/first-steps.tsx';
import { LatestPayments } from './_overview/latest-payments.tsx';
import { MoneyChart } from './_overview/money-chart.tsx';
import { NeedsHand } from './_overview/needs-hand.tsx';
import { OutcomePanels } from './_overview/outcome-panels.tsx';
import { TodayBlock } from './_overview/today-block.tsx';
import { WaitingBlock } from './_overview/waiting-block.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'overview');
  return { title: t('title') };
}

type InTurn = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Has the parts of a page read one after the other, the first ones first: all at once would take
 * connections that the API waits for.
 */
function oneAfterTheOther(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (read) => {
    const next = last.then(read);
    last = next.catch(() => undefined);
    return next;
  };
}

type View = {
  inTurn: InTurn;
  api: Awaited<ReturnType<typeof businessSession>>['api'];
  environment: Environment;
  locale: Locale;
  base: string;
  /** The merchant's: by its days money is counted. */
  timeZone: string;
};

async function Today({ api, inTurn, ...view }: View) {
  return <TodayBlock {...view} view={await inTurn(() => api.overview.today())} />;
}

async function Steps({ api, inTurn, environment, locale }: View) {
  const steps = await inTurn(() => api.overview.checklist());
  if (!steps) return null;
  const { permissions } = await currentAccount(environment);
  const mayDismiss = permissions.includes('attention.acknowledge');
  return <FirstSteps {...{ environment, locale, steps, mayDismiss }} />;
}

async function Causes({ api, inTurn, ...view }: View) {
  const causes = await inTurn(() => api.overview.causes());
  const { permissions } = await currentAccount(view.environment);
  const mayAcknowledge = permissions.includes('attention.acknowledge');
  return <NeedsHand {...view} causes={causes} mayAcknowledge={mayAcknowledge} />;
}

async function Latest({ api, inTurn, ...view }: View) {
  const t = translatorOf(view.locale, 'overview');
  const words = {
    title: t('latest'),
    none: t('latestNone'),
    all: t('latestAll'),
    arrived: t('arrived'),
  };
  const payments = await inTurn(() => api.overview.latest());
  return <LatestPayments {...view} words={words} payments={payments} />;
}

async function Chart({ api, inTurn, search, ...view }: View & { search: SearchParams }) {
  const { environment, locale, base, timeZone } = view;
  const nowMs = Date.now();
  const range = readDayRange(search, nowMs, timeZone);
  const query = readChartQuery(search);
  const before = edgesBefore(range, timeZone, nowMs);
  const edgesMs = [
    before.edgesMs[0] ?? 0,
    before.edgesMs.at(-1) ?? 0,
    ...edgesOf(range.days, timeZone),
  ];
  const chart = await inTurn(() => api.overview.chart({ edgesMs, by: query.by }));
  const isEmpty = chart.days.every((day) => day.length === 0);
  // Only an empty chart asks for the newest invoice and the role.
  const newest = isEmpty ? (await api.invoices.list({ limit: 1 })).invoices[0] : undefined;
  if (isEmpty && !newest) {
    const { permissions } = await currentAccount(environment);
    return <OverviewEmpty locale={locale} base={base} permissions={permissions} />;
  }
  return (
    <MoneyChart
      {...{ locale, base, range, query }}
      isUntilNow={before.isUntilNow}
      view={chart}
      usualCurrency={newest?.currency ?? 'USD'}
    />
  );
}

async function OutcomesOf({
  api,
  inTurn,
  search,
  locale,
  timeZone,
}: View & { search: SearchParams }) {
  const edgesMs = edgesOf(readDayRange(search, Date.now(), timeZone).days, timeZone);
  const span = { fromMs: edgesMs[0] ?? 0, untilMs: edgesMs.at(-1) ?? 0 };
  const outcomes = await inTurn(() => api.overview.outcomes(span));
  return <OutcomePanels locale={locale} view={outcomes} />;
}

/** What came in and what needs somebody, in the merchant's zone; each figure leads to its list. */
export default async function OverviewPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'overview');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const base = `/dashboard/${environment}`;
  const inTurn = oneAfterTheOther();
  const view: View = {
    inTurn,
    api,
    environment,
    locale,
    base,
    timeZone: session.merchant.timeZone,
  };
  return (
    <>
      <PageTitle title={t('title')} />
      <div className="grid grid-cols-1 gap-6">
        <Suspense fallback={<WaitingBlock height="h-40" />}>
          <Today {...view} />
        </Suspense>
        <Suspense>
          <Steps {...view} />
        </Suspense>
        <Suspense>
          <Causes {...view} />
        </Suspense>
        <div className="@container">
          <div className="grid grid-cols-1 items-start gap-6 @4xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Suspense fallback={<WaitingBlock height="h-96" />}>
              <Chart {...view} search={await searchParams} />
            </Suspense>
            <Suspense fallback={<WaitingBlock height="h-96" />}>
              <Latest {...view} />
            </Suspense>
          </div>
        </div>
        <Suspense>
          <OutcomesOf {...view} search={await searchParams} />
        </Suspense>
      </div>
    </>
  );
}
