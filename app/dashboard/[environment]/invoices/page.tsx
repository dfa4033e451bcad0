import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { dashboardSession, load } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';
import { Instant } from '../../_shared/instant.tsx';
import { COLUMNS_COOKIE } from '../../_shared/lists/columns-cookie.ts';
import { EmptyList } from '../../_shared/lists/empty-list.tsx';
import { KeepFresh } from '../../_shared/lists/keep-fresh.tsx';
import { FirstInvoice } from '../../_shared/lists/overview-empty.tsx';
import { queryString, queryText, type SearchParams } from '../../_shared/lists/query-text.ts';
import { deedsOf } from '../../_shared/lists/select-box.tsx';
import { SelectionBar } from '../../_shared/lists/selection-bar.tsx';
import { PageTitle } from '../../_shared/page-title.tsx';
import { ExportMenu } from './_parts/export-menu.tsx';
import { InvoiceFilters } from './_parts/invoice-filters.tsx';
import {
  columnsOf,
  type InvoiceQuery,
  isNarrowed,
  orderOf,
  readInvoiceQuery,
  toList,
  withPaid,
} from './_parts/invoice-query.ts';
import { InvoiceTable } from './_parts/invoice-table.tsx';
import { InvoiceViews } from './_parts/invoice-views.tsx';
import { ListBar } from './_parts/list-bar.tsx';
import { ListTotals } from './_parts/list-totals.tsx';
import { SearchOn } from './_parts/search-on.tsx';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.invoices');
  return { title: t('title') };
}

type Api = Awaited<ReturnType<typeof dashboardSession>>['api'];

async function titleOfLink(api: Api, linkId: string): Promise<string> {
  const loaded = await load(api.links.read({ linkId }));
  return loaded.ok ? loaded.data.link.title : linkId;
}

function Pages({
  locale,
  query,
  path,
  isSearch,
  cursor,
  nextCursor,
}: {
  locale: Locale;
  query: InvoiceQuery;
  isSearch: boolean;
  path: string;
  cursor: string | null;
  nextCursor: string | null;
}) {
  const t = translatorOf(locale, 'dashboard.invoices');
  const order = orderOf(query, isSearch);
  return (
    <nav aria-label={t('pages')} className="mt-4 flex flex-wrap justify-end gap-2">
      {cursor !== null && (
        <a href={path + queryString(query)} className="button button-plain">
          {t(`starts.${order}`)}
        </a>
      )}
      {nextCursor !== null && (
        <a href={path + queryString(query, { after: nextCursor })} className="button button-plain">
          {t(`nexts.${order}`)}
        </a>
      )}
    </nav>
  );
}

function NoInvoices({
  locale,
  query,
  base,
  permissions,
  ...list
}: {
  locale: Locale;
  query: InvoiceQuery;
  base: string;
  permissions: readonly string[];
  unfiltered: string;
  isLaterPage: boolean;
}) {
  const words = messagesAt(locale, 'dashboard.invoices');
  return (
    <EmptyList
      locale={locale}
      words={query.q.trim() === '' ? words : { ...words, noMatchText: words.noMatchSearch }}
      isFiltered={isNarrowed(query)}
      isLaterPage={list.isLaterPage}
      path={list.unfiltered}
    >
      <FirstInvoice {...{ locale, base, permissions }} />
    </EmptyList>
  );
}

export default async function InvoicesPage({ params, searchParams }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ permissions }, search, viewer] = await Promise.all([
    api.account.current(),
    searchParams,
    viewerZone(session.merchant.timeZone),
  ]);
  const query = readInvoiceQuery(search);
  const { timeZone: zone } = session.merchant;
  // Days of payment are the register's.
  const timeZone = query.by === 'paid' ? zone : viewer;
  const cursor = queryText(search.after) || null;
  const list = toList(query, timeZone);
  const page = await api.invoices.list({ ...list, cursor, isCounted: true });
  const views = await api.views.list({ list: 'invoices' });
  const linkTitle = query.link && (await titleOfLink(api, query.link));
  const { invoices, isSearch, nextCursor, searchedToMs, pendingSearchedToMs, total } = page;
  const path = `/dashboard/${environment}/invoices`;
  // Chosen columns are not a filter.
  const unfiltered = path + queryString({ columns: query.columns });
  const isEmpty = invoices.length === 0 && cursor === null;
  const chosen = columnsOf(query, (await cookies()).get(COLUMNS_COOKIE)?.value);
  const deeds = deedsOf(permissions);
  return (
    <>
      <PageTitle title={t('invoices.title')}>
        {permissions.includes('business.read') && (
          <ExportMenu
            locale={locale}
            query={query}
            path={path}
            merchantId={session.merchant.id}
            zones={{ viewer, merchant: zone }}
          />
        )}
        {permissions.includes('invoice.create') && (
          <PageLink href={`${path}/new`} className="button button-primary button-compact">
            {t('invoices.create')}
          </PageLink>
        )}
      </PageTitle>
      <InvoiceViews
        {...{ locale, environment, path, query, zone, views }}
        columns={chosen}
        mayKeep={permissions.includes('views.keep')}
      />
      <InvoiceFilters {...{ locale, query, path, unfiltered, linkTitle }} />
      {invoices.length === 0 && searchedToMs === null && (
        <NoInvoices
          {...{ locale, query, permissions, unfiltered }}
          base={`/dashboard/${environment}`}
          isLaterPage={cursor !== null}
        />
      )}
      {invoices.length > 0 && (
        <ListBar
          {...{ locale, query, path, total, zone }}
          columns={chosen}
          selects={deeds.length > 0}
        />
      )}
      {invoices.length > 0 && (
        <InvoiceTable
          {...{ locale, timeZone, invoices, query, isSearch, deeds }}
          columns={withPaid(chosen, query)}
          base={path}
        />
      )}
      {searchedToMs !== null && nextCursor !== null && (
        <SearchOn
          {...{ locale, timeZone, searchedToMs, isSearch }}
          href={path + queryString(query, { after: nextCursor })}
        />
      )}
      {pendingSearchedToMs !== null && (
        <p className="mt-3 text-muted text-sm">
          {t('invoices.pendingTo')}{' '}
          <Instant atMs={pendingSearchedToMs} locale={locale} timeZone={timeZone} />.
        </p>
      )}
      <Pages
        {...{ locale, query, isSearch, path, cursor }}
        nextCursor={searchedToMs ? null : nextCursor}
      />
      {invoices.length > 0 && permissions.includes('business.read') && (
        <ListTotals locale={locale} totals={api.invoices.totals({ filters: list.filters })} />
      )}
      {/* The list does not refresh while it is read, so that no row moves away from a pointer. */}
      <KeepFresh environment={environment} isGoingOn={isEmpty && !isNarrowed(query)} />
      {invoices.length > 0 && <SelectionBar {...{ locale, environment, deeds }} />}
    </>
  );
}
