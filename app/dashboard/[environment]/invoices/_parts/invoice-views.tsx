import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { dayOf } from '#server/lib/zone-days.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { SavedView } from '#server/trpc/rows.ts';
import { queryString } from '../../../_shared/lists/query-text.ts';
import { ViewTabs } from '../../../_shared/lists/view-tabs.tsx';
import { type Column, type InvoiceQuery, readInvoiceQuery } from './invoice-query.ts';

/** The views of the invoices. */
export function InvoiceViews({
  locale,
  query,
  columns,
  zone,
  views,
  ...shown
}: {
  locale: Locale;
  environment: Environment;
  path: string;
  query: InvoiceQuery;
  /** The columns that are kept with a view. */
  columns: readonly Column[];
  /** The zone of days of payment. */
  zone: string;
  views: SavedView[];
  mayKeep: boolean;
}) {
  const t = translatorOf(locale, 'dashboard');
  const today = dayOf(Date.now(), zone);
  const here = queryString(query);
  const builtIn = [
    { text: t('views.all'), query: '' },
    { text: t('views.paidToday'), query: `status=PAID&by=paid&from=${today}&to=${today}` },
    { text: t('statuses.PENDING'), query: 'status=PENDING' },
    { text: t('views.callbackFailed'), query: 'callback=exhausted' },
  ].map((view) => {
    const own = addressOf(view.query);
    // Columns are chosen for any of them.
    return {
      text: view.text,
      href: shown.path + own,
      isCurrent: queryString({ ...query, columns: '' }) === own,
    };
  });
  const saved = views.map((view) => {
    const own = addressOf(view.query);
    return { ...view, query: own, isCurrent: own === here };
  });
  const kept = queryString({ ...query, columns: columns.join(',') });
  return <ViewTabs {...shown} {...{ locale, builtIn, saved }} list="invoices" query={kept} />;
}

/** A view's query, read as an address is. */
function addressOf(query: string): string {
  return queryString(readInvoiceQuery(Object.fromEntries(new URLSearchParams(query))));
}
