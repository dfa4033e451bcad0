const ISOLATES = /[\u2066-\u2069]/g;

// Letters that are written from right to left, by the blocks that Unicode keeps for them, and marks
// that turn what follows. Whatever else a text holds stands in our own texts as in any other of
// theirs, which are all written from left to right.
const TURNS =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Somebody else's text within a sentence of ours. One that writes from right to left, and so would
 * turn our words around, stands between marks (U+2068 and U+2069) that keep its direction to itself;
 * those of its own are left out, for they would end ours. Any other stays as it is: whoever copies
 * an address from a sentence wants no marks in it.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(ISOLATES, '')}\u2069` : text;
}
