import type { Metadata } from 'next';
import { dashboardMessages } from '../../_i18n/messages.ts';
import { InvoiceFilters } from '../../_parts/invoice-filters.tsx';
import {
  invoiceQueryString,
  readInvoiceQuery,
  type SearchParams,
  toFilters,
} from '../../_parts/invoice-query.ts';
import { InvoiceTable } from '../../_parts/invoice-table.tsx';
import { ListKeys } from '../../_parts/list-keys.tsx';
import { Notice } from '../../_parts/notice.tsx';
import { PageTitle } from '../../_parts/page-title.tsx';
import { dashboardSession } from '../../_server/api.ts';
import { viewerZone } from '../../_server/zone.ts';

type Props = { params: Promise<{ environment: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await dashboardMessages()).t.invoices.title };
}

export default async function InvoicesPage({ params, searchParams }: Props) {
  const { session, environment, api } = await dashboardSession((await params).environment);
  if (!session.merchant) return null;
  const [{ t, locale }, search, timeZone] = await Promise.all([
    dashboardMessages(),
    searchParams,
    viewerZone(session.merchant.timeZone),
  ]);
  const query = readInvoiceQuery(search);
  const cursor = typeof search.after === 'string' ? search.after.slice(0, 255) : null;
  const { invoices, nextCursor } = await api.invoices.list({
    filters: toFilters(query, timeZone),
    cursor,
  });
  const path = `/dashboard/${environment}/invoices`;
  const isFiltered = invoiceQueryString(query) !== '';
  const words = t.invoices;
  return (
    <>
      <PageTitle title={words.title} />
      <InvoiceFilters t={t} query={query} path={path} />
      {invoices.length === 0 ? (
        <Notice
          title={isFiltered ? words.noMatch : words.empty}
          text={isFiltered ? words.noMatchText : words.emptyText}
        />
      ) : (
        <InvoiceTable t={t} locale={locale} timeZone={timeZone} base={path} invoices={invoices} />
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="hidden text-muted text-sm md:block">{words.keys}</p>
        <nav aria-label={words.pages} className="flex gap-2">
          {cursor !== null && (
            <a href={path + invoiceQueryString(query)} className="button button-plain">
              {words.newer}
            </a>
          )}
          {nextCursor !== null && (
            <a
              href={path + invoiceQueryString(query, { after: nextCursor })}
              className="button button-plain"
            >
              {words.older}
            </a>
          )}
        </nav>
      </div>
      <ListKeys />
    </>
  );
}
