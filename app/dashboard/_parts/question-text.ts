/** Fills each `{name}` of a text, all in one pass: a value that holds braces stays as it is. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The first characters of a text; an emoji counts as one and is never cut in two. */
export function firstOf(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}
