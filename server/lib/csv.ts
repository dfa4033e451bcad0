/** A cell of a CSV file; null is an empty one. */
export type CsvCell = string | number | bigint | null;

// A text that a spreadsheet would take for a formula; a number of ours is none.
const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",;\r\n]/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const plain = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The mark by which spreadsheets know UTF-8; once, at the beginning of a file. */
export const CSV_START = '\uFEFF';

/**
 * A line of a CSV file (RFC 4180), its CRLF included; spreadsheets of languages that write 15,50
 * part columns by semicolons. Texts that begin like a formula get an
 * apostrophe before them (OWASP, "CSV Injection").
 */
export function csvLine(cells: readonly CsvCell[], separator: ',' | ';' = ','): string {
  return `${cells.map(cellText).join(separator)}\r\n`;
}
