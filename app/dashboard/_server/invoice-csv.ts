import { CSV_START, csvLine } from '#server/lib/csv.ts';
import { toDecimalString } from '#server/lib/money.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';

const HEADS = [
  'invoice_id',
  'merchant_transaction_id',
  'status',
  'amount',
  'currency',
  'description',
  'created_at',
  'status_changed_at',
  'end_date',
  'card_brand',
  'card_last4',
  'callback_state',
  'callback_attempts',
];

/** `2026-11-21 17:04:05 GMT+5` as spreadsheets sort it, in one zone. */
function clockOf(timeZone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (atMs) => format.format(atMs);
}

export type CsvShape = { timeZone: string; separator: ',' | ';' };

/**
 * A list as CSV, page by page as it is read: neither all rows nor all text are ever in
 * memory. A reader that goes away stops the reading.
 *
 * @param readPage the page after a cursor
 * @param timeZone of every time in the file; named in the heads of their columns
 * @param separator `;` comes with amounts as `15,50`
 */
export function invoiceCsv(
  readPage: (
    cursor: string | null,
  ) => Promise<{ invoices: InvoiceListItem[]; nextCursor: string | null }>,
  { timeZone, separator }: CsvShape,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const at = clockOf(timeZone);
  const amountOf = ({ amountMinor, currency }: InvoiceListItem): string => {
    const text = toDecimalString(amountMinor, currency);
    return separator === ';' ? text.replace('.', ',') : text;
  };
  const lineOf = (each: InvoiceListItem): string =>
    csvLine(
      [
        each.id,
        each.merchantTransactionId,
        each.status,
        amountOf(each),
        each.currency,
        each.description,
        at(each.createdAtMs),
        each.status === 'PENDING' ? null : at(each.statusChangedAtMs),
        at(each.endDateMs),
        each.cardBrand,
        each.cardLast4,
        each.callbackState,
        each.callbackAttempts,
      ],
      separator,
    );
  let cursor: string | null = null;
  return new ReadableStream({
    start(controller) {
      const heads = HEADS.map((head) =>
        /_at$|_date$/.test(head) ? `${head} (${timeZone})` : head,
      );
      controller.enqueue(encoder.encode(CSV_START + csvLine(heads, separator)));
    },
    async pull(controller) {
      const page = await readPage(cursor);
      if (page.invoices.length > 0) {
        controller.enqueue(encoder.encode(page.invoices.map(lineOf).join('')));
      }
      cursor = page.nextCursor;
      if (cursor === null) controller.close();
      // An empty page in the middle of a long search: the stream would not ask again by itself.
      else if (page.invoices.length === 0) controller.enqueue(new Uint8Array());
    },
  });
}
