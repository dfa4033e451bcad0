/** A cell of a CSV file; null is an empty one. */
export type CsvCell = string | number | bigint | null;

// Where a spreadsheet would take a text for a formula; a number of ours is none. Not at its
// beginning alone: who opens a file with another separator parts the text in its middle, at line
// ends too. Blanks, quotes and what is not to be seen (Unicode's default-ignorable code points)
// count for nothing before a sign. Each piece's beginning is read once, sign or not: looking back
// from each sign would take the square of the text's length.
const BEGINNING = /(?:[,;\t\r\n]|^)[\s"＂\p{Default_Ignorable_Code_Point}]*([^,;\t\r\n])?/gu;
const SIGN = /^[=+\-@]/;
const NEEDS_QUOTES = /[",;\r\n]/;

/** Spreadsheets fold signs of another width, height or size (NFKC) into the plain ones. */
function withoutFormula(beginning: string, first = ''): string {
  if (!SIGN.test(first.normalize('NFKC'))) return beginning;
  return `${beginning.slice(0, -first.length)}'${first}`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const plain = cell.replace(/^(?=[\t\r\n])/, "'").replaceAll(BEGINNING, withoutFormula);
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The mark by which spreadsheets know UTF-8; once, at the beginning of a file. */
export const CSV_START = '\uFEFF';

/**
 * A line of a CSV file (RFC 4180), its CRLF included; spreadsheets of languages that write 15,50
 * part columns by semicolons. Texts that a formula begins in, by whichever separator the file is
 * read, get an apostrophe before it (OWASP, "CSV Injection").
 */
export function csvLine(cells: readonly CsvCell[], separator: ',' | ';' = ','): string {
  return `${cells.map(cellText).join(separator)}\r\n`;
}
