import type { ReactNode } from 'react';
import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import { IdOnALine } from '../../../_shared/copyable-id.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { queryString } from '../../../_shared/lists/query-text.ts';
import { type Deed, SelectBox } from '../../../_shared/lists/select-box.tsx';
import { CallbackBadge, StatusBadge } from '../../../_shared/status-badge.tsx';
import { type InvoiceQuery, orderOf, type ShownColumn, USUAL_COLUMNS } from './invoice-query.ts';

type Props = {
  locale: Locale;
  timeZone: string;
  base: string;
  columns: readonly ShownColumn[];
  invoices: InvoiceListItem[];
  query: InvoiceQuery;
  isSearch: boolean;
  /** What can be done to several at once; without any, rows have no boxes. */
  deeds: readonly Deed[];
};

// A card too narrow for a table shows each row as two lines: the amount and the status, then the
// description and the time; a phone's as three, because millions of soums fill one. An undelivered
// callback and the other columns have lines of their own.
// Dense rows leave no hole for an omitted column. Sizes are in rem: larger text has less room. A
// hidden cell stays in the markup, because a screen reader would otherwise read those after it under
// the wrong heads. The largest text on a phone leaves each cell a line of its own.
const ROW =
  'relative focus-within:bg-sunk hover:bg-sunk has-checked:bg-sunk @max-4xl:grid @max-4xl:grid-flow-dense @max-4xl:grid-cols-[minmax(0,1fr)_auto] @max-4xl:items-center @max-4xl:gap-x-3 @max-4xl:gap-y-1 @max-4xl:px-4 @max-4xl:py-3 @max-[12rem]:flex @max-[12rem]:flex-col @max-[12rem]:items-start';
const CELL =
  'align-middle @max-4xl:has-data-blank:sr-only @max-4xl:has-data-delivered:sr-only @4xl:px-2 @5xl:px-2.5 @4xl:py-2 @4xl:pointer-coarse:py-3 @4xl:first:pl-4 @4xl:last:pr-4 @max-[12rem]:max-w-full';
const SELECT =
  '@max-4xl:absolute @max-4xl:inset-y-0 @max-4xl:left-2 @max-4xl:grid @max-[12rem]:static @max-[12rem]:-order-3';
const LINE =
  '@max-4xl:order-3 @max-4xl:col-span-full @max-4xl:flex @max-4xl:gap-x-1.5 @max-[12rem]:flex-wrap';
const TIME =
  '@max-4xl:-order-1 @max-4xl:col-start-2 @max-xs:col-start-1 @max-xs:col-span-full @max-4xl:justify-self-end @max-xs:justify-self-start';
const PLACES: Record<ShownColumn, string> = {
  // The description takes the room that a table's other columns leave.
  description:
    '@4xl:w-full @4xl:max-w-0 @max-4xl:-order-1 @max-4xl:col-start-1 @max-4xl:min-w-0 @max-sm:col-span-full',
  status:
    '@max-4xl:-order-2 @max-4xl:col-start-2 @max-4xl:text-right @max-sm:col-start-1 @max-sm:text-left',
  created: TIME,
  paid: TIME,
  callback: '@max-4xl:order-2 @max-4xl:col-span-full',
  transaction: LINE,
  card: LINE,
  id: LINE,
  ends: LINE,
  changed: LINE,
};
/** These have a named line of their own when somebody chose the columns. */
const ASIDE: readonly ShownColumn[] = ['transaction', 'card', 'id', 'ends', 'changed'];

const BLANK = (
  <span data-blank="" className="text-muted">
    –
  </span>
);

const CELLS: Record<ShownColumn, (invoice: InvoiceListItem, props: Props) => ReactNode> = {
  status: (invoice, { locale }) => (
    <>
      <StatusBadge
        status={invoice.status}
        label={translatorOf(locale, 'dashboard.statuses')(invoice.status)}
      />
      <Refunded invoice={invoice} locale={locale} />
    </>
  ),
  // A block isolates the direction: a right-to-left text is cut at its end, not its beginning.
  description: ({ description }) => <bdi className="block truncate text-left">{description}</bdi>,
  transaction: ({ merchantTransactionId }) => (
    <IdOnALine
      id={merchantTransactionId}
      className="select-none text-muted @4xl:max-w-28 @5xl:max-w-36"
    />
  ),
  card: ({ cardLast4 }) =>
    cardLast4 ? (
      <span className="whitespace-nowrap font-mono text-muted text-sm">•••• {cardLast4}</span>
    ) : (
      BLANK
    ),
  callback: ({ callbackState }, { locale }) => {
    if (!callbackState) return BLANK;
    const t = translatorOf(locale, 'dashboard');
    return (
      <span data-delivered={callbackState === 'delivered' ? '' : undefined}>
        <CallbackBadge
          state={callbackState}
          label={t(`callbackStates.${callbackState}`)}
          narrowName={t('invoices.callback')}
        />
      </span>
    );
  },
  created: ({ createdAtMs }, props) => <When atMs={createdAtMs} {...props} />,
  paid: ({ statusChangedAtMs }, props) => <When atMs={statusChangedAtMs} {...props} />,
  id: ({ id }) => <IdOnALine id={id} className="select-none text-muted @4xl:max-w-36" />,
  ends: ({ endDateMs }, props) => <When atMs={endDateMs} {...props} />,
  changed: ({ status, statusChangedAtMs }, props) =>
    status === 'PENDING' ? BLANK : <When atMs={statusChangedAtMs} {...props} />,
};

/** That an invoice was refunded, whole or in part, and the sum. */
function Refunded({ invoice, locale }: { invoice: InvoiceListItem; locale: Locale }) {
  const { refundedMinor, amountMinor, currency } = invoice;
  if (refundedMinor === 0n) return null;
  const t = translatorOf(locale, 'dashboard.refund');
  const amount = formatMoney(refundedMinor, currency, locale);
  const isWhole = refundedMinor === amountMinor;
  return (
    <span className="mt-1 block text-muted text-sm tabular-nums @4xl:whitespace-nowrap">
      {t(isWhole ? 'markWhole' : 'markPart', { amount })}
    </span>
  );
}

function When({ atMs, locale, timeZone }: { atMs: number } & Pick<Props, 'locale' | 'timeZone'>) {
  return (
    <span className="whitespace-nowrap text-muted text-sm @max-[12rem]:whitespace-normal">
      <Instant atMs={atMs} locale={locale} timeZone={timeZone} isNarrow />
    </span>
  );
}

/** What can be done to an invoice, of what its reader may do at all. */
const DOABLE: Record<Deed, (invoice: InvoiceListItem) => boolean> = {
  cancel: ({ status }) => status === 'PENDING',
  resend: ({ callbackState }) => callbackState !== null,
};

function Selecting({ invoice, props }: { invoice: InvoiceListItem; props: Props }) {
  const { locale, deeds } = props;
  const t = translatorOf(locale, 'dashboard.bulk');
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const name = `${invoice.description}, ${amount}`;
  const can = deeds.filter((deed) => DOABLE[deed](invoice));
  return (
    <td className={`${CELL} ${SELECT}`}>
      <SelectBox label={t('row', { name })} row={{ id: invoice.id, name, can }} />
    </td>
  );
}

function Row({ invoice, props }: { invoice: InvoiceListItem; props: Props }) {
  const { locale, base, columns, invoices, deeds } = props;
  const t = translatorOf(locale, 'dashboard.invoices');
  const isUsual = columns.join().replace('paid', 'created') === USUAL_COLUMNS.join();
  const amounts = invoices
    .filter(({ currency }) => currency === invoice.currency)
    .map(({ amountMinor }) => amountMinor);
  return (
    <tr className={`${ROW} ${deeds.length > 0 ? '@max-4xl:pl-14 @max-[12rem]:pl-4' : ''}`}>
      {deeds.length > 0 && <Selecting invoice={invoice} props={props} />}
      <td
        className={`${CELL} whitespace-nowrap font-semibold tabular-nums @max-4xl:-order-2 @max-4xl:col-start-1 @max-sm:col-span-full @4xl:text-right @max-[12rem]:whitespace-normal @max-[12rem]:wrap-anywhere`}
      >
        {/* The link covers the row, so that a press anywhere on it opens the invoice. */}
        <PageLink
          href={`${base}/${invoice.id}`}
          data-row=""
          className="outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          {formatMoney(invoice.amountMinor, invoice.currency, locale, amounts)}
        </PageLink>
      </td>
      {columns.map((column) => {
        const isAside = ASIDE.includes(column);
        // A merchant recognises the order by the transaction id, also on a phone.
        const isFolded = isAside && column !== 'transaction' && isUsual;
        return (
          <td key={column} className={`${CELL} ${isFolded ? '@max-4xl:sr-only' : PLACES[column]}`}>
            {isAside && (
              <span
                aria-hidden="true"
                className="shrink-0 text-muted text-sm @4xl:hidden @max-[12rem]:shrink"
              >
                {t(column)}
              </span>
            )}
            {CELLS[column](invoice, props)}
          </td>
        );
      })}
    </tr>
  );
}

/** What the rows are ordered by: a link that turns them round, except a search's. */
function Sorting({ text, props: { query, isSearch, base } }: { text: string; props: Props }) {
  if (isSearch) return text;
  return (
    <a
      href={base + queryString({ ...query, sort: query.sort === '' ? 'oldest' : '' })}
      className="link-quiet pointer-coarse:py-2 @4xl:whitespace-nowrap"
    >
      {text} <span aria-hidden="true">{query.sort === '' ? '↓' : '↑'}</span>
    </a>
  );
}

const HEAD = 'px-2 @5xl:px-2.5 py-2 font-medium first:pl-4';

function Head({ head, props }: { head: ShownColumn | 'amount'; props: Props }) {
  const t = translatorOf(props.locale, 'dashboard.invoices');
  const { query, isSearch } = props;
  const isByPayment = query.by === 'paid' && !isSearch;
  const name = t(head);
  if (head !== (isByPayment ? 'paid' : 'created')) {
    return (
      <th scope="col" className={`${HEAD} ${head === 'amount' ? 'text-right' : ''}`}>
        <span className={head === 'description' ? 'block min-w-24' : ''}>{name}</span>
      </th>
    );
  }
  const isRising = ['oldest', 'firstPaid'].includes(orderOf(query, isSearch));
  return (
    <th scope="col" aria-sort={isRising ? 'ascending' : 'descending'} className={HEAD}>
      <span className="@4xl:hidden">{name}</span>
      <span className="@max-4xl:hidden">
        <Sorting text={name} props={props} />
      </span>
    </th>
  );
}

/** Invoices, one a row; a table with many columns scrolls sideways within its card. */
export function InvoiceTable(props: Props) {
  const t = translatorOf(props.locale, 'dashboard.invoices');
  const bulk = translatorOf(props.locale, 'dashboard.bulk');
  const heads = ['amount' as const, ...props.columns];
  const title = t(`tables.${orderOf(props.query, props.isSearch)}`);
  return (
    <section className="card @container overflow-hidden" aria-label={title} tabIndex={-1}>
      {/* The heads of a card too narrow for a table are for screen readers alone. */}
      <p className="border-line border-b px-4 py-2 text-muted text-sm @4xl:hidden">
        <Sorting text={title} props={props} />
      </p>
      <div className="overflow-x-auto edge-fade">
        <table className="w-full border-collapse text-[0.9375rem] @4xl:text-sm @max-4xl:block">
          <caption className="sr-only">{title}</caption>
          <thead className="@max-4xl:sr-only">
            <tr className="border-line border-b text-left text-muted text-sm">
              {props.deeds.length > 0 && (
                <th scope="col" className={HEAD}>
                  <span className="sr-only">{bulk('head')}</span>
                  <span className="@max-4xl:hidden">
                    <SelectBox label={bulk('all')} />
                  </span>
                </th>
              )}
              {heads.map((head) => (
                <Head key={head} head={head} props={props} />
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line @max-4xl:block">
            {props.invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} props={props} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
