/** A table's lines, each column as wide as its widest cell. */
export function table(headings: string[], rows: string[][]): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-11-21 12:00:00Z`, or a dash. */
export function instant(timeMs: number | null): string {
  return timeMs === null
    ? '-'
    : `${new Date(timeMs).toISOString().replace('T', ' ').slice(0, 19)}Z`;
}

/** A terminal would obey merchants' control characters; line feeds and tabs stay. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[^\P{Cc}\n\t]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
