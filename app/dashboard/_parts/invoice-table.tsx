import Link from 'next/link';
import { formatAmount } from '#server/lib/money.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import { Instant } from './instant.tsx';
import { CallbackBadge, StatusBadge } from './status-badge.tsx';

type Props = {
  t: DashboardMessages;
  locale: DashboardLocale;
  timeZone: string;
  base: string;
  invoices: InvoiceListItem[];
};

const CELL = 'px-3 py-3 align-middle first:pl-4 last:pr-4';

function Row({
  invoice,
  t,
  locale,
  timeZone,
  base,
}: Omit<Props, 'invoices'> & { invoice: InvoiceListItem }) {
  return (
    <tr className="relative hover:bg-sunk focus-within:bg-sunk">
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
      <td className={CELL}>
        <StatusBadge status={invoice.status} label={t.statuses[invoice.status]} />
      </td>
      <td className={`${CELL} max-w-44 truncate`}>{invoice.description}</td>
      <td className={`${CELL} max-w-40 truncate font-mono text-muted text-sm`}>
        {invoice.merchantTransactionId}
      </td>
      <td className={`${CELL} whitespace-nowrap font-mono text-muted text-sm`}>
        {invoice.cardLast4 ? `•••• ${invoice.cardLast4}` : '–'}
      </td>
      <td className={CELL}>
        {invoice.callbackState ? (
          <CallbackBadge
            state={invoice.callbackState}
            label={t.callbackStates[invoice.callbackState]}
          />
        ) : (
          <span className="text-muted">–</span>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap text-muted text-sm`}>
        <Instant atMs={invoice.createdAtMs} locale={locale} timeZone={timeZone} />
      </td>
    </tr>
  );
}

/** Invoices, one a row; on a phone the table scrolls sideways within its card. */
export function InvoiceTable(props: Props) {
  const words = props.t.invoices;
  const heads = [
    words.amount,
    words.status,
    words.description,
    words.transaction,
    words.card,
    words.callback,
    words.created,
  ];
  return (
    <section className="card overflow-x-auto" aria-label={words.table} tabIndex={-1}>
      <table className="w-full border-collapse text-[0.9375rem]">
        <caption className="sr-only">{words.table}</caption>
        <thead>
          <tr className="border-line border-b text-left text-muted text-sm">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`px-3 py-2.5 font-medium first:pl-4 ${index === 0 ? 'text-right' : ''}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {props.invoices.map((invoice) => (
            <Row key={invoice.id} {...props} invoice={invoice} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
