import { isolated } from '../../_i18n/isolated.ts';

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

/** The first characters of a text; an emoji counts as one and is never cut in two. */
export function firstOf(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}
