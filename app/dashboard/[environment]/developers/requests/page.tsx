import type { Metadata } from 'next';
import { dashboardMessages } from '../../../_i18n/messages.ts';
import { dashboardSession, load } from '../../../_server/api.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { EmptyList } from '../../../_shared/lists/empty-list.tsx';
import { KeepFresh } from '../../../_shared/lists/keep-fresh.tsx';
import {
  hasAny,
  queryString,
  queryText,
  type SearchParams,
} from '../../../_shared/lists/query-text.ts';
import { Notice } from '../../../_shared/notice.tsx';
import { PageTitle } from '../../../_shared/page-title.tsx';
import { RequestFilters } from '../_parts/request-filters.tsx';
import { RequestItem } from '../_parts/request-item.tsx';
import { readRequestQuery, toRequestFilters } from '../_parts/request-query.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.developers.requests };
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, search, timeZone] = await Promise.all([
    dashboardMessages(),
    searchParams,
    viewerZone(session.merchant.timeZone),
  ]);
  const words = t.developers;
  const query = readRequestQuery(search);
  const cursor = queryText(search.after, 40) || null;
  const loaded = await load(api.developers.requests({ ...toRequestFilters(query), cursor }));
  const base = `/dashboard/${environment}`;
  const back = <BackLink href={`${base}/developers`} text={words.title} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <PageTitle title={words.requests} />
        <Notice title={t.noPermission.title} text={t.noPermission.text} />
      </>
    );
  }
  const { requests, nextCursor, searchedUntil } = loaded.data;
  const path = `${base}/developers/requests`;
  const isFiltered = hasAny(query);
  const view = { t: words, locale, timeZone, base };
  return (
    <>
      {back}
      <PageTitle title={words.requests} />
      <p className="mb-4 max-w-prose text-muted">{words.requestsText}</p>
      <RequestFilters t={t} query={query} path={path} />
      {requests.length > 0 && (
        <ul
          aria-label={words.requests}
          className="card @container divide-y divide-line overflow-hidden"
        >
          {requests.map((request) => (
            <RequestItem key={request.id} request={request} {...view} />
          ))}
        </ul>
      )}
      <KeepFresh
        environment={environment}
        isGoingOn={requests.length === 0 && cursor === null && !isFiltered}
      />
      {requests.length === 0 && !searchedUntil && (
        <EmptyList
          t={t}
          words={{ ...words, empty: words.noRequests, emptyText: words.noRequestsText }}
          {...{ isFiltered, path }}
          isLaterPage={cursor !== null}
        />
      )}
      <div className="mt-4 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose text-muted text-sm">{words.requestsNote}</p>
        {nextCursor !== null && (
          <p className="flex flex-wrap items-center gap-3 text-muted">
            {searchedUntil && (
              <span>
                {words.searched}{' '}
                <Instant atMs={searchedUntil.getTime()} locale={locale} timeZone={timeZone} />
              </span>
            )}
            <a
              href={path + queryString(query, { after: nextCursor })}
              className="button button-plain"
            >
              {searchedUntil ? words.searchOn : words.older}
            </a>
          </p>
        )}
      </div>
    </>
  );
}
