import { numberFormat } from '#server/lib/formats.ts';

/** A count as people read it, with a `+` where counting stopped. */
export function countText(count: number, isMore: boolean, locale: string): string {
  return numberFormat(locale, {}).format(count) + (isMore ? '+' : '');
}
