import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatAmount } from '#server/lib/money.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import type { WorkMessages } from '../_i18n/work-en.ts';
import { Instant } from './instant.tsx';
import type { Column } from './invoice-query.ts';
import { CallbackBadge, StatusBadge } from './status-badge.tsx';

type Props = {
  t: DashboardMessages;
  work: WorkMessages['list'];
  locale: DashboardLocale;
  timeZone: string;
  base: string;
  columns: readonly Column[];
  invoices: InvoiceListItem[];
};

// On a phone a row becomes a few lines of cells one after the other, and a dash says nothing there.
const CELL =
  'align-middle max-sm:max-w-full max-sm:has-data-blank:hidden sm:px-3 sm:py-3 sm:first:pl-4 sm:last:pr-4';
const ROW =
  'relative focus-within:bg-sunk hover:bg-sunk max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-3';
const MONO = 'font-mono text-muted text-sm';

const BLANK = (
  <span data-blank="" className="text-muted">
    –
  </span>
);

const CELLS: Record<Column, (invoice: InvoiceListItem, props: Props) => ReactNode> = {
  status: ({ status }, { t }) => <StatusBadge status={status} label={t.statuses[status]} />,
  description: ({ description }) => (
    <span className="block truncate sm:max-w-44">{description}</span>
  ),
  transaction: ({ merchantTransactionId }) => (
    <span className={`${MONO} block truncate sm:max-w-40`}>{merchantTransactionId}</span>
  ),
  card: ({ cardLast4 }) =>
    cardLast4 ? <span className={`${MONO} whitespace-nowrap`}>•••• {cardLast4}</span> : BLANK,
  callback: ({ callbackState }, { t }) =>
    callbackState ? (
      <CallbackBadge state={callbackState} label={t.callbackStates[callbackState]} />
    ) : (
      BLANK
    ),
  created: ({ createdAtMs }, props) => <When atMs={createdAtMs} {...props} />,
  id: ({ id }) => <span className={`${MONO} block truncate sm:max-w-40`}>{id}</span>,
  ends: ({ endDateMs }, props) => <When atMs={endDateMs} {...props} />,
  changed: ({ status, statusChangedAtMs }, props) =>
    status === 'PENDING' ? BLANK : <When atMs={statusChangedAtMs} {...props} />,
};

function When({ atMs, locale, timeZone }: { atMs: number } & Pick<Props, 'locale' | 'timeZone'>) {
  return (
    <span className="whitespace-nowrap text-muted text-sm">
      <Instant atMs={atMs} locale={locale} timeZone={timeZone} />
    </span>
  );
}

function Row({ invoice, props }: { invoice: InvoiceListItem; props: Props }) {
  const { locale, base, columns } = props;
  return (
    <tr className={ROW}>
      <td className={`${CELL} whitespace-nowrap text-right font-semibold tabular-nums`}>
        {/* The link covers the row, so that a press anywhere on it opens the invoice. */}
        <Link
          href={`${base}/${invoice.id}`}
          prefetch={false}
          data-row=""
          className="outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          {formatAmount(invoice.amountMinor, invoice.currency, locale)}
        </Link>
      </td>
      {columns.map((column) => (
        <td key={column} className={CELL}>
          {CELLS[column](invoice, props)}
        </td>
      ))}
    </tr>
  );
}

/** Invoices, one a row; the table scrolls sideways within its card where many columns are shown. */
export function InvoiceTable(props: Props) {
  const words = { ...props.t.invoices, ...props.work };
  const heads = ['amount' as const, ...props.columns];
  return (
    <section className="card overflow-x-auto" aria-label={words.table} tabIndex={-1}>
      <table className="w-full border-collapse text-[0.9375rem] max-sm:block">
        <caption className="sr-only">{words.table}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-line border-b text-left text-muted text-sm">
            {heads.map((head, index) => (
              <th
                key={words[head]}
                scope="col"
                className={`px-3 py-2.5 font-medium first:pl-4 ${index === 0 ? 'text-right' : ''}`}
              >
                {words[head]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {props.invoices.map((invoice) => (
            <Row key={invoice.id} invoice={invoice} props={props} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
