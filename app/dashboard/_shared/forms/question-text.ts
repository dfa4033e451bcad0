import { isolated } from '../../../_i18n/isolated.ts';

/**
 * Fills each `{name}` of a text, all in one pass: a value that holds braces stays as it is, and
 * its direction its own. A number has none.
 */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? String(value) : isolated(value);
  });
}

const SHORT = 120;

/** A text for a question, cut where it is long; an emoji counts as one and is never cut in two. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > SHORT ? `${characters.slice(0, SHORT).join('')}…` : text;
}
