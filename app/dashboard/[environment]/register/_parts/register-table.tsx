import { PageLink } from '#app/_ui/page-link.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import type { RegisterItem } from '#server/trpc/rows.ts';
import { IdOnALine } from '../../../_shared/copyable-id.tsx';
import { signedMoney } from './signed-money.ts';

type Props = { locale: Locale; timeZone: string; base: string; rows: RegisterItem[] };

// A card too narrow for a table shows each row as lines: the order and the amount, what it is and
// the time, then the method, the fee and the net amount if they tell something.
const ROW =
  'relative focus-within:bg-sunk hover:bg-sunk @max-4xl:grid @max-4xl:grid-cols-[minmax(0,1fr)_auto] @max-4xl:items-center @max-4xl:gap-x-3 @max-4xl:gap-y-0.5 @max-4xl:px-4 @max-4xl:py-3';
const CELL =
  '@max-4xl:has-data-blank:sr-only @4xl:px-2.5 @4xl:py-2.5 @4xl:first:pl-4 @4xl:last:pr-4';
const ASIDE = 'text-muted text-sm';

const BLANK = (
  <span data-blank="" className="text-muted">
    –
  </span>
);

/** The time of day; the exact one, with its zone, on hover: an hour can come twice. */
function Time({ atMs, locale, timeZone }: { atMs: number; locale: Locale; timeZone: string }) {
  const { dateTag } = propertiesOf(locale);
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone } as const;
  const exact = { dateStyle: 'full', timeStyle: 'long', timeZone } as const;
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={dateFormat(dateTag, exact).format(atMs)}
      className="tabular-nums"
    >
      {dateFormat(dateTag, time).format(atMs)}
    </time>
  );
}

function methodOf({ account, cardLast4 }: RegisterItem): string {
  return [account, cardLast4 && `•••• ${cardLast4}`].filter((each) => each !== null).join(' · ');
}

function Row({ row, props: { locale, timeZone, base } }: { row: RegisterItem; props: Props }) {
  const t = translatorOf(locale, 'register');
  const money = (minor: bigint): string => signedMoney(minor, row.currency, locale);
  const method = methodOf(row);
  return (
    <tr className={ROW}>
      <td className={`${CELL} ${ASIDE} whitespace-nowrap @max-4xl:order-4 @max-4xl:text-right`}>
        <Time atMs={row.atMs} locale={locale} timeZone={timeZone} />
      </td>
      <td
        className={`${CELL} whitespace-nowrap @max-4xl:order-3 @max-4xl:text-muted @max-4xl:text-sm`}
      >
        {t(`kinds.${row.kind}`)}
      </td>
      <td className={`${CELL} @4xl:w-full @4xl:max-w-0 @max-4xl:order-1`}>
        {/* The link covers the row, so that a press anywhere on it opens the invoice. */}
        <PageLink
          href={`${base}/invoices/${row.invoiceId}`}
          data-row=""
          className="block outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
        >
          <IdOnALine id={row.merchantTransactionId} />
        </PageLink>
      </td>
      <td className={`${CELL} ${ASIDE} whitespace-nowrap @max-4xl:order-5`}>
        {method === '' ? BLANK : <bdi>{method}</bdi>}
      </td>
      <td
        className={`${CELL} whitespace-nowrap text-right font-semibold tabular-nums @max-4xl:order-2`}
      >
        {money(row.amountMinor)}
      </td>
      <td className={`${CELL} ${ASIDE} whitespace-nowrap text-right tabular-nums @max-4xl:order-6`}>
        {row.feeMinor === null ? (
          BLANK
        ) : (
          <>
            <span aria-hidden="true" className="@4xl:hidden">
              {t('fees')}{' '}
            </span>
            {money(-row.feeMinor)}
          </>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap text-right tabular-nums @max-4xl:sr-only`}>
        {money(row.netMinor)}
      </td>
    </tr>
  );
}

/** The payments and refunds of a day, one a row. */
export function RegisterTable(props: Props) {
  const t = translatorOf(props.locale, 'register.columns');
  const heads = [
    { name: 'time' as const },
    { name: 'kind' as const },
    { name: 'merchant_transaction_id' as const },
    { name: 'account' as const },
    { name: 'amount' as const, isNumber: true },
    { name: 'fee' as const, isNumber: true },
    { name: 'net' as const, isNumber: true },
  ];
  const title = translatorOf(props.locale, 'register')('table');
  return (
    <section className="card @container overflow-hidden" aria-label={title} tabIndex={-1}>
      <table className="w-full border-collapse text-[0.9375rem] @max-4xl:block">
        <caption className="sr-only">{title}</caption>
        <thead className="@max-4xl:sr-only">
          <tr className="border-line border-b text-left text-muted text-sm">
            {heads.map(({ name, isNumber = false }) => (
              <th
                key={name}
                scope="col"
                className={`px-2.5 py-2.5 font-medium first:pl-4 last:pr-4 ${isNumber ? 'text-right' : ''}`}
              >
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line @max-4xl:block">
          {props.rows.map((row) => (
            <Row key={`${row.kind} ${row.refundId ?? row.invoiceId}`} row={row} props={props} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
