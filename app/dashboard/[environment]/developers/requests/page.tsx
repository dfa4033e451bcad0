import type { Metadata } from 'next';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { businessSession, load } from '../../../_server/api.ts';
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
  const t = translatorOf(await requestLocale(), 'dashboard.developers');
  return { title: t('requests') };
}

export default async function RequestsPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await businessSession((await params).environment);
  if (!session.merchant) return null;
  const [search, timeZone] = await Promise.all([
    searchParams,
    viewerZone(session.merchant.timeZone),
  ]);
  const query = readRequestQuery(search);
  const cursor = queryText(search.after, 40) || null;
  const loaded = await load(api.developers.requests({ ...toRequestFilters(query), cursor }));
  const base = `/dashboard/${environment}`;
  const back = <BackLink href={`${base}/developers`} text={t('developers.title')} />;
  if (!loaded.ok) {
    return (
      <>
        {back}
        <PageTitle title={t('developers.requests')} />
        <Notice title={t('noPermission.title')} text={t('noPermission.text')} />
      </>
    );
  }
  const { requests, nextCursor, searchedUntil } = loaded.data;
  const path = `${base}/developers/requests`;
  const isFiltered = hasAny(query);
  const view = { locale, timeZone, base };
  return (
    <>
      {back}
      <PageTitle title={t('developers.requests')} />
      <p className="mb-4 max-w-prose text-muted">{t('developers.requestsText')}</p>
      <RequestFilters locale={locale} query={query} path={path} />
      {requests.length > 0 && (
        <ul
          aria-label={t('developers.requests')}
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
          words={{
            noMatch: t('developers.noMatch'),
            noMatchText: t('developers.noMatchText'),
            empty: t('developers.noRequests'),
            emptyText: t('developers.noRequestsText'),
          }}
          {...{ locale, isFiltered, path }}
          isLaterPage={cursor !== null}
        />
      )}
      <div className="mt-4 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-prose text-muted text-sm">{t('developers.requestsNote')}</p>
        {nextCursor !== null && (
          <p className="flex flex-wrap items-center gap-3 text-muted">
            {searchedUntil && (
              <span>
                {t('developers.searched')}{' '}
                <Instant atMs={searchedUntil.getTime()} locale={locale} timeZone={timeZone} />
              </span>
            )}
            <a
              href={path + queryString(query, { after: nextCursor })}
              className="button button-plain"
            >
              {searchedUntil ? t('developers.searchOn') : t('developers.older')}
            </a>
          </p>
        )}
      </div>
    </>
  );
}
