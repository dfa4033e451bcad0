import { type CsvCell, type CsvSeparator, csvAmount, csvLine } from '#server/lib/csv.ts';
import { fileClock } from '#server/lib/zone-days.ts';
import type { InvoiceListItem } from '#server/trpc/rows.ts';
import type { ExportPlace } from './export-places.ts';
import { csvStream } from './file-stream.ts';

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
  'payment_reference',
  // The offset has its own column: a spreadsheet takes a time with an offset for a text.
  'created_at_offset',
  'status_changed_at_offset',
  'end_date_offset',
  'fee',
  'refunded_amount',
];

const NEVER = { time: null, offset: null };

export type CsvShape = { timeZone: string; separator: CsvSeparator };

/**
 * A list as CSV, page by page as it is read.
 *
 * @param readPage the page after a cursor
 * @param timeZone the zone of every time in the file; the heads of their columns name it. The
 *   offsets from UTC stand in columns at the end
 * @param separator `;` comes with amounts as `15,50`
 * @param place reads the pages in turn
 * @throws any error of reading the first page
 */
export function invoiceCsv(
  readPage: (
    cursor: string | null,
  ) => Promise<{ invoices: InvoiceListItem[]; nextCursor: string | null }>,
  { timeZone, separator }: CsvShape,
  place: ExportPlace,
): Promise<ReadableStream<Uint8Array>> {
  const at = fileClock(timeZone);
  const amountOf = (amountMinor: bigint, { currency }: InvoiceListItem): CsvCell =>
    csvAmount(amountMinor, currency, separator);
  const lineOf = (each: InvoiceListItem): string => {
    const created = at(each.createdAtMs);
    const changed = each.status === 'PENDING' ? NEVER : at(each.statusChangedAtMs);
    const ends = at(each.endDateMs);
    return csvLine(
      [
        each.id,
        each.merchantTransactionId,
        each.status,
        amountOf(each.amountMinor, each),
        each.currency,
        each.description,
        created.time,
        changed.time,
        ends.time,
        each.cardBrand,
        each.cardLast4,
        each.callbackState,
        each.callbackAttempts,
        each.paymentReference,
        created.offset,
        changed.offset,
        ends.offset,
        each.feeMinor === null ? null : amountOf(each.feeMinor, each),
        amountOf(each.refundedMinor, each),
      ],
      separator,
    );
  };
  const heads = HEADS.map((head) => (/_at$|_date$/.test(head) ? `${head} (${timeZone})` : head));
  const readLines = async (cursor: string | null) => {
    const { invoices, nextCursor } = await readPage(cursor);
    return { lines: invoices.map(lineOf).join(''), nextCursor };
  };
  return csvStream(csvLine(heads, separator), readLines, place);
}
