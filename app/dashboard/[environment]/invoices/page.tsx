import type { Metadata } from 'next';
import { countText } from '#app/_i18n/count-text.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { workMessages } from '../../_i18n/work-messages.ts';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { Instant } from '../../_shared/instant.tsx';
import { EmptyList } from '../../_shared/lists/empty-list.tsx';
import { KeepFresh } from '../../_shared/lists/keep-fresh.tsx';
import { ListKeys } from '../../_shared/lists/list-keys.tsx';
import { FirstInvoice } from '../../_shared/lists/overview-empty.tsx';
import { queryString, queryText, type SearchParams } from '../../_shared/lists/query-text.ts';
import { PageTitle } from '../../_shared/page-title.tsx';
import { ExportMenu } from './_parts/export-menu.tsx';
import { InvoiceFilters } from './_parts/invoice-filters.tsx';
import { columnsOf, isNarrowed, readInvoiceQuery, toFilters } from './_parts/invoice-query.ts';
import { InvoiceTable } from './_parts/invoice-table.tsx';
import { SearchOn } from './_parts/search-on.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.invoices.title };
}

export default async function InvoicesPage({ params, searchParams }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, { list: work, overview }, { permissions }, search, timeZone] =
    await Promise.all([
      dashboardMessages(),
      workMessages(),
      api.account.current(),
      searchParams,
      viewerZone(session.merchant.timeZone),
    ]);
  const query = readInvoiceQuery(search);
  const cursor = queryText(search.after) || null;
  const filters = toFilters(query, timeZone);
  const page = await api.invoices.list({ filters, cursor, isCounted: true });
  const { invoices, nextCursor, searchedToMs, pendingSearchedToMs, total } = page;
  const path = `/dashboard/${environment}/invoices`;
  // Chosen columns are no filter.
  const unfiltered = path + queryString({ columns: query.columns });
  const words = t.invoices;
  const isEmpty = invoices.length === 0 && cursor === null;
  const shown = { t, work, locale, timeZone };
  return (
    <>
      <PageTitle title={words.title}>
        <ExportMenu
          t={work}
          query={query}
          path={path}
          merchantId={session.merchant.id}
          usual={locale === 'ru' ? 'semicolon' : 'comma'}
          zones={{ viewer: timeZone, merchant: session.merchant.timeZone }}
        />
        {permissions.includes('invoice.create') && (
          <PageLink href={`${path}/new`} className="button button-primary button-compact">
            {work.create}
          </PageLink>
        )}
      </PageTitle>
      <InvoiceFilters {...{ t, work, locale, query, path, unfiltered }} />
      {invoices.length === 0 && searchedToMs === null && (
        <EmptyList
          t={t}
          words={query.q.trim() === '' ? words : { ...words, noMatchText: words.noMatchSearch }}
          isFiltered={isNarrowed(query)}
          isLaterPage={cursor !== null}
          path={unfiltered}
        >
          <FirstInvoice
            t={overview}
            base={`/dashboard/${environment}`}
            mayCreate={permissions.includes('invoice.create')}
          />
        </EmptyList>
      )}
      {invoices.length > 0 && total !== null && (
        <p className="mb-2 text-muted text-sm tabular-nums">
          {work.found(total.count, countText(total.count, total.isMore, locale))}
        </p>
      )}
      {invoices.length > 0 && (
        <InvoiceTable {...shown} base={path} columns={columnsOf(query)} invoices={invoices} />
      )}
      {searchedToMs !== null && nextCursor !== null && (
        <SearchOn
          {...{ t: work, locale, timeZone, searchedToMs }}
          isSearch={query.q.trim() !== ''}
          href={path + queryString(query, { after: nextCursor })}
        />
      )}
      {pendingSearchedToMs !== null && (
        <p className="mt-3 text-muted text-sm">
          {work.pendingTo}{' '}
          <Instant atMs={pendingSearchedToMs} locale={locale} timeZone={timeZone} />.
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        {invoices.length > 0 && <p className="hidden text-muted text-sm md:block">{words.keys}</p>}
        <nav aria-label={words.pages} className="ml-auto flex gap-2">
          {cursor !== null && (
            <a href={path + queryString(query)} className="button button-plain">
              {words.newer}
            </a>
          )}
          {nextCursor !== null && searchedToMs === null && (
            <a
              href={path + queryString(query, { after: nextCursor })}
              className="button button-plain"
            >
              {words.older}
            </a>
          )}
        </nav>
      </div>
      {/* Not while it is read: no row moves away from under a pointer. */}
      <KeepFresh environment={environment} isGoingOn={isEmpty && !isNarrowed(query)} />
      <ListKeys />
    </>
  );
}
