/**
 * PostgreSQL's text of an array whose elements need no quotes: our own ids and words, numbers, and
 * times as the database writes them. `pg` would check each character for quoting.
 */
export function plainArray<T>(
  items: readonly T[],
  of: (item: T) => string | number | null,
): string {
  let text = '{';
  let comma = '';
  for (const item of items) {
    text += comma + (of(item) ?? 'NULL');
    comma = ',';
  }
  return `${text}}`;
}
