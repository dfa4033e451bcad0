const SHORT = 120;

/** A text for a question, cut where it is long; an emoji counts as one and is never cut in two. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > SHORT ? `${characters.slice(0, SHORT).join('')}…` : text;
}
