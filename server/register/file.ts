import { writeXlsxStream } from 'hucre/xlsx';
import { translatorOf } from '../i18n/translator.ts';
import { type CsvCell, type CsvSeparator, csvAmount, csvLine } from '../lib/csv.ts';
import type { Locale } from '../lib/locales.ts';
import { minorUnitDigits, toDecimalString } from '../lib/money.ts';
import { fileClock } from '../lib/zone-days.ts';
import type { RegisterRow } from './types.ts';

/** The columns in both kinds of file. The offset has its own: it tells an hour that comes twice apart. */
const COLUMNS = [
  'time',
  'kind',
  'invoice_id',
  'merchant_transaction_id',
  'description',
  'account',
  'card_brand',
  'card_last4',
  'payment_reference',
  'refund_id',
  'refund_transaction_id',
  'currency',
  'amount',
  'fee',
  'net',
  'time_offset',
] as const;
type Column = (typeof COLUMNS)[number];

/** The line of a CSV file that names its columns, the same in every language: programs read it. */
export function registerCsvHeads(timeZone: string, separator: CsvSeparator): string {
  const heads = COLUMNS.map((column) => (column === 'time' ? `time (${timeZone})` : column));
  return csvLine(heads, separator);
}

/** A row as a line of a CSV file. */
export function registerCsvLine(
  row: RegisterRow,
  { timeZone, separator }: { timeZone: string; separator: CsvSeparator },
): string {
  const amount = (minor: bigint | null): CsvCell =>
    minor === null ? null : csvAmount(minor, row.currency, separator);
  const { time, offset } = fileClock(timeZone)(row.atMs);
  const cells: Record<Column, CsvCell> = {
    ...textsOf(row),
    time,
    kind: row.kind,
    amount: amount(row.amountMinor),
    fee: amount(row.feeMinor),
    net: amount(row.netMinor),
    time_offset: offset,
  };
  return csvLine(
    COLUMNS.map((column) => cells[column]),
    separator,
  );
}

function textsOf(row: RegisterRow) {
  return {
    invoice_id: row.invoiceId,
    merchant_transaction_id: row.merchantTransactionId,
    description: row.description,
    account: row.account,
    card_brand: row.cardBrand,
    card_last4: row.cardLast4,
    payment_reference: row.paymentReference,
    refund_id: row.refundId,
    refund_transaction_id: row.refundTransactionId,
    currency: row.currency,
  };
}

/** Spreadsheets keep this many digits of a number. */
const EXACT_DIGITS = 15;

/** A number where a spreadsheet keeps it exactly, or else the text of it. */
function sheetAmount(minor: bigint | null, { currency }: RegisterRow): number | string | null {
  if (minor === null) return null;
  const text = toDecimalString(minor, currency);
  return text.replaceAll(/\D/g, '').length <= EXACT_DIGITS ? Number(text) : text;
}

const MONEY_FORMAT = `#,##0.${'0'.repeat(minorUnitDigits('USD'))}`;
const STYLES: Partial<Record<Column, { width: number; numFmt?: string }>> = {
  time: { width: 20, numFmt: 'yyyy-mm-dd hh:mm:ss' },
  kind: { width: 18 },
  invoice_id: { width: 34 },
  merchant_transaction_id: { width: 26 },
  description: { width: 30 },
  account: { width: 18 },
  payment_reference: { width: 30 },
  amount: { width: 18, numFmt: MONEY_FORMAT },
  fee: { width: 14, numFmt: MONEY_FORMAT },
  net: { width: 18, numFmt: MONEY_FORMAT },
  time_offset: { width: 12 },
};

/**
 * The rows as a workbook for a person, written as they are read: amounts are numbers, times are times
 * by the clock of the zone, and the heads stay in sight. Texts are never formulas.
 */
export function registerXlsx(
  rows: AsyncIterable<RegisterRow> | Iterable<RegisterRow>,
  { day, timeZone, locale }: { day: string; timeZone: string; locale: Locale },
): ReadableStream<Uint8Array> {
  const t = translatorOf(locale, 'register');
  const clock = fileClock(timeZone);
  async function* sheetRows() {
    for await (const row of rows) {
      const { time, offset } = clock(row.atMs);
      const cells = {
        ...textsOf(row),
        // A workbook has times without a zone, which the library takes from UTC.
        time: new Date(`${time.replace(' ', 'T')}Z`),
        kind: t(`kinds.${row.kind}`),
        amount: sheetAmount(row.amountMinor, row),
        fee: sheetAmount(row.feeMinor, row),
        net: sheetAmount(row.netMinor, row),
        time_offset: offset,
      };
      yield COLUMNS.map((column) => cells[column]);
    }
  }
  return writeXlsxStream(sheetRows(), {
    name: day,
    freezePane: { rows: 1 },
    columns: COLUMNS.map((column) => ({ header: t(`columns.${column}`), ...STYLES[column] })),
  });
}
