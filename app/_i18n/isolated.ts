const ISOLATES = /[\u2066-\u2069]/g;

// Letters written from right to left, by their Unicode blocks, and marks that change the direction.
// All other characters are safe within our texts, which are written from left to right.
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates somebody else's text within a sentence of ours. A text that contains right-to-left
 * letters would turn our words around, so marks (U+2068 and U+2069) enclose it; its own marks are
 * removed, because they would end ours. Any other text stays as it is, so that a copied address has
 * no marks in it.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(ISOLATES, '')}\u2069` : text;
}
