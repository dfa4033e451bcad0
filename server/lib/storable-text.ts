/** A text without what PostgreSQL's `text` and `jsonb` cannot hold: NULs and halves of characters. */
export function storablePart(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '');
}

/** Whether PostgreSQL can hold a text as it is. */
export function isStorable(text: string): boolean {
  return storablePart(text) === text;
}
