/** A count as people read it, with a `+` where counting stopped. */
export function countText(count: number, isMore: boolean, locale: string): string {
  return new Intl.NumberFormat(locale).format(count) + (isMore ? '+' : '');
}
