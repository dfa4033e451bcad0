import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import { propertiesOf } from '#server/lib/locales.ts';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { Instant } from '../../_shared/instant.tsx';
import { COLUMNS_COOKIE } from '../../_shared/lists/columns-cookie.ts';
import { EmptyList } from '../../_shared/lists/empty-list.tsx';
import { KeepFresh } from '../../_shared/lists/keep-fresh.tsx';
import { FirstInvoice } from '../../_shared/lists/overview-empty.tsx';
import { queryString, queryText, type SearchParams } from '../../_shared/lists/query-text.ts';
import { PageTitle } from '../../_shared/page-title.tsx';
import { ExportMenu } from './_parts/export-menu.tsx';
import { InvoiceFilters } from './_parts/invoice-filters.tsx';
import { columnsOf, isNarrowed, readInvoiceQuery, toFilters } from './_parts/invoice-query.ts';
import { InvoiceTable } from './_parts/invoice-table.tsx';
import { ListBar } from './_parts/list-bar.tsx';
import { SearchOn } from './_parts/search-on.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.invoices');
  return { title: t('title') };
}

export default async function InvoicesPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ permissions }, search, timeZone] = await Promise.all([
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
  // Chosen columns are not a filter.
  const unfiltered = path + queryString({ columns: query.columns });
  const isEmpty = invoices.length === 0 && cursor === null;
  const columns = columnsOf(query, (await cookies()).get(COLUMNS_COOKIE)?.value);
  const words = messagesAt(locale, 'dashboard.invoices');
  const shown = { locale, timeZone };
  return (
    <>
      <PageTitle title={t('invoices.title')}>
        {permissions.includes('business.read') && (
          <ExportMenu
            locale={locale}
            query={query}
            path={path}
            merchantId={session.merchant.id}
            usual={propertiesOf(locale).csvSeparator === ';' ? 'semicolon' : 'comma'}
            zones={{ viewer: timeZone, merchant: session.merchant.timeZone }}
          />
        )}
        {permissions.includes('invoice.create') && (
          <PageLink href={`${path}/new`} className="button button-primary button-compact">
            {t('invoices.create')}
          </PageLink>
        )}
      </PageTitle>
      <InvoiceFilters {...{ locale, query, path, unfiltered }} />
      {invoices.length === 0 && searchedToMs === null && (
        <EmptyList
          locale={locale}
          words={query.q.trim() === '' ? words : { ...words, noMatchText: words.noMatchSearch }}
          isFiltered={isNarrowed(query)}
          isLaterPage={cursor !== null}
          path={unfiltered}
        >
          <FirstInvoice
            locale={locale}
            base={`/dashboard/${environment}`}
            permissions={permissions}
          />
        </EmptyList>
      )}
      {invoices.length > 0 && <ListBar {...{ locale, query, path, columns, total }} />}
      {invoices.length > 0 && (
        <InvoiceTable {...shown} base={path} columns={columns} invoices={invoices} />
      )}
      {searchedToMs !== null && nextCursor !== null && (
        <SearchOn
          {...{ locale, timeZone, searchedToMs }}
          isSearch={query.q.trim() !== ''}
          href={path + queryString(query, { after: nextCursor })}
        />
      )}
      {pendingSearchedToMs !== null && (
        <p className="mt-3 text-muted text-sm">
          {t('invoices.pendingTo')}{' '}
          <Instant atMs={pendingSearchedToMs} locale={locale} timeZone={timeZone} />.
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <nav aria-label={t('invoices.pages')} className="ml-auto flex gap-2">
          {cursor !== null && (
            <a href={path + queryString(query)} className="button button-plain">
              {t('invoices.newer')}
            </a>
          )}
          {nextCursor !== null && searchedToMs === null && (
            <a
              href={path + queryString(query, { after: nextCursor })}
              className="button button-plain"
            >
              {t('invoices.older')}
            </a>
          )}
        </nav>
      </div>
      {/* The list does not refresh while it is read, so that no row moves away from a pointer. */}
      <KeepFresh environment={environment} isGoingOn={isEmpty && !isNarrowed(query)} />
    </>
  );
}
