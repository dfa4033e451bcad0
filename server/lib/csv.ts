import { type Currency, toDecimalString } from './money.ts';

/** A number that is written as it is. */
type CsvNumber = { decimal: string };

/** A cell of a CSV file; null is an empty one. */
export type CsvCell = string | number | bigint | CsvNumber | null;

/** `;` comes with amounts as `15,50`. */
export type CsvSeparator = ',' | ';';

// Finds texts that a spreadsheet would take for a formula; a number of ours never is one. It looks
// at more than the beginning: a spreadsheet with another separator splits the text, also at line
// ends. Blanks, quotes and invisible characters (Unicode's default-ignorable code points) do not
// count before a sign. Each piece's beginning is read once, sign or not: looking back from each
// sign would take time by the square of the text's length.
const BEGINNING = /(?:[,;\t\r\n]|^)[\s"＂\p{Default_Ignorable_Code_Point}]*([^,;\t\r\n])?/gu;
const SIGN = /^[=+\-@]/;
const NEEDS_QUOTES = /[",;\r\n]/;

/** Spreadsheets fold signs of another width, height or size (NFKC) into plain ones. */
function withoutFormula(beginning: string, first = ''): string {
  if (!SIGN.test(first.normalize('NFKC'))) return beginning;
  return `${beginning.slice(0, -first.length)}'${first}`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return quoted(cell.decimal);
  if (typeof cell !== 'string') return String(cell);
  return quoted(cell.replace(/^(?=[\t\r\n])/, "'").replaceAll(BEGINNING, withoutFormula));
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The mark by which spreadsheets recognise UTF-8, once at the beginning of a file. */
export const CSV_START = '\uFEFF';

/**
 * A line of a CSV file (RFC 4180) with its CRLF; spreadsheets in languages that write 15,50
 * separate columns by semicolons. An apostrophe precedes each text that would begin a formula with
 * any separator (OWASP, "CSV Injection").
 */
export function csvLine(cells: readonly CsvCell[], separator: CsvSeparator = ','): string {
  return `${cells.map(cellText).join(separator)}\r\n`;
}

/** An amount with the decimals of its currency, which may be negative: `15.50`, or `15,50` beside `;`. */
export function csvAmount(
  amountMinor: bigint,
  currency: Currency,
  separator: CsvSeparator,
): CsvCell {
  const decimal = toDecimalString(amountMinor, currency);
  return { decimal: separator === ';' ? decimal.replace('.', ',') : decimal };
}
