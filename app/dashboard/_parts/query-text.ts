import { storablePart } from '#server/lib/storable-text.ts';

/** A screen's address, as Next hands it over. */
export type SearchParams = Record<string, string | string[] | undefined>;

/**
 * A text of the address, `''` for none; the first where it stands there twice.
 *
 * @param most UTF-16 units, as the procedure counts; what is longer is cut off
 */
export function queryText(value: SearchParams[string], most = 255): string {
  const first = Array.isArray(value) ? value[0] : value;
  return storablePart(first?.slice(0, most) ?? '');
}
