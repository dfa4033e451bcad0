import type { Metadata } from 'next';
import Link from 'next/link';
import type { CallbackListItem } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../../_i18n/en.ts';
import { type DashboardLocale, dashboardMessages } from '../../_i18n/messages.ts';
import { CallbackFilters } from '../../_parts/callback-filters.tsx';
import {
  callbackQueryString,
  readCallbackQuery,
  toCallbackFilters,
} from '../../_parts/callback-query.ts';
import { EmptyList } from '../../_parts/empty-list.tsx';
import { FailingHosts } from '../../_parts/failing-hosts.tsx';
import { Instant } from '../../_parts/instant.tsx';
import { ListKeys } from '../../_parts/list-keys.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { queryText, type SearchParams } from '../../_parts/query-text.ts';
import { Reason } from '../../_parts/reason.tsx';
import { ResendFailed } from '../../_parts/resend-failed.tsx';
import { CallbackBadge, StatusBadge } from '../../_parts/status-badge.tsx';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.callbacks.title };
}

type View = { t: DashboardMessages; locale: DashboardLocale; timeZone: string; path: string };

function Delivery({ callback, ...view }: View & { callback: CallbackListItem }) {
  const { t, locale, timeZone, path } = view;
  const instant = (at: Date) => <Instant atMs={at.getTime()} locale={locale} timeZone={timeZone} />;
  return (
    <li className="relative grid gap-1 px-4 py-3 focus-within:bg-sunk hover:bg-sunk">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CallbackBadge state={callback.state} label={t.callbackStates[callback.state]} />
        <Link
          href={`${path}/${encodeURIComponent(callback.invoiceId)}`}
          prefetch={false}
          data-row=""
          className="min-w-0 font-medium outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-focus"
        >
          {callback.host}
        </Link>
        <StatusBadge status={callback.invoiceStatus} label={t.statuses[callback.invoiceStatus]} />
        <span className="w-full text-muted text-sm sm:ml-auto sm:w-auto">
          {instant(callback.createdAt)}
        </span>
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        <span className="font-mono text-xs max-sm:block">{callback.invoiceId}</span>
        <span className="max-sm:hidden"> · </span>
        {t.callbacks.attempts}: {callback.attemptCount}
        {callback.lastReason && (
          <>
            {' '}
            · <Reason reason={callback.lastReason} locale={locale} />
          </>
        )}
        {callback.nextAttemptAt && (
          <>
            {' '}
            · {t.invoice.next} {instant(callback.nextAttemptAt)}
          </>
        )}
      </p>
    </li>
  );
}

function List({ callbacks, ...view }: View & { callbacks: CallbackListItem[] }) {
  return (
    <ul aria-label={view.t.callbacks.list} className="card divide-y divide-line overflow-hidden">
      {callbacks.map((callback) => (
        <Delivery key={callback.invoiceId} {...view} callback={callback} />
      ))}
    </ul>
  );
}

export default async function CallbacksPage({ params, searchParams }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, search, timeZone, { permissions }] = await Promise.all([
    dashboardMessages(),
    searchParams,
    viewerZone(session.merchant.timeZone),
    api.account.current(),
  ]);
  const words = t.callbacks;
  const path = `/dashboard/${environment}/callbacks`;
  const query = readCallbackQuery(search);
  const cursor = queryText(search.after, 400) || null;
  const [{ callbacks, nextCursor, searchedUntil }, hosts] = await Promise.all([
    api.callbacks.list({ ...toCallbackFilters(query, timeZone), cursor }),
    api.callbacks.failingHosts(),
  ]);
  const isFiltered = callbackQueryString(query) !== '';
  const view = { t, locale, timeZone, path };
  return (
    <>
      <PageTitle title={words.title}>
        {permissions.includes('callback.test') && (
          <Link href={`${path}/test`} prefetch={false} className="button button-plain">
            {words.test.open}
          </Link>
        )}
        {permissions.includes('callback.resend') && (
          <ResendFailed environment={environment} t={words} host={query.host || null} />
        )}
      </PageTitle>
      <FailingHosts hosts={hosts} t={words} locale={locale} path={path} />
      <CallbackFilters t={t} path={path} query={query} />
      {callbacks.length > 0 && <List {...view} callbacks={callbacks} />}
      {callbacks.length === 0 && !searchedUntil && (
        <EmptyList t={t} words={words} isFiltered={isFiltered} isLaterPage={cursor !== null} />
      )}
      {nextCursor !== null && (
        <p className="mt-4 flex flex-wrap items-center justify-end gap-3 text-muted">
          {searchedUntil && (
            <span>
              {words.searched}{' '}
              <Instant atMs={searchedUntil.getTime()} locale={locale} timeZone={timeZone} />
            </span>
          )}
          <a
            href={path + callbackQueryString(query, { after: nextCursor })}
            className="button button-plain"
          >
            {searchedUntil ? words.searchOn : t.invoices.older}
          </a>
        </p>
      )}
      <ListKeys />
    </>
  );
}
