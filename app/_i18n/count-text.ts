import { numberFormat } from '#server/lib/formats.ts';

/** A count for people to read, with a `+` where counting stopped. */
export function countText(count: number, isMore: boolean, locale: string): string {
  return numberFormat(locale, {}).format(count) + (isMore ? '+' : '');
}
