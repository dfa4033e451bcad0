import { countText } from '#app/_i18n/count-text.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { ColumnsMenu } from '../../../_shared/lists/columns-menu.tsx';
import { ListKeys } from '../../../_shared/lists/list-keys.tsx';
import { queryString } from '../../../_shared/lists/query-text.ts';
import { COLUMNS, type Column, type InvoiceQuery } from './invoice-query.ts';

/** What stands over the rows: how many there are, and how they are shown. */
export function ListBar({
  locale,
  query,
  path,
  columns,
  total,
  zone,
  selects,
}: {
  locale: Locale;
  query: InvoiceQuery;
  path: string;
  columns: readonly Column[];
  total: { count: number; isMore: boolean } | null;
  /** The zone of days of payment. */
  zone: string;
  /** Whether rows have boxes. */
  selects: boolean;
}) {
  const t = translatorOf(locale, 'dashboard');
  const withoutColumns = { ...query, columns: '' };
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2">
      <p className="mr-auto text-muted text-sm tabular-nums">
        {total &&
          t('invoices.found', {
            count: total.count,
            text: countText(total.count, total.isMore, locale),
          })}
        {query.by === 'paid' && ` · ${t('invoices.paidDays', { zone })}`}
      </p>
      <ListKeys locale={locale} selects={selects} />
      <ColumnsMenu
        address={path + queryString(withoutColumns)}
        query={withoutColumns}
        columns={COLUMNS.map((value) => ({
          value,
          text: t(`invoices.${value}`),
          isShown: columns.includes(value),
        }))}
        isInAddress={query.columns !== ''}
        words={{ open: t('invoices.columns'), apply: t('filters.apply') }}
      />
    </div>
  );
}
