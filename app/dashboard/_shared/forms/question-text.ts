const SHORT = 120;

/** A text for a question, shortened if long; an emoji counts as one and is never cut. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > SHORT ? `${characters.slice(0, SHORT).join('')}…` : text;
}
