import { queryDays, queryText, type SearchParams } from './query-text.ts';
import { startOfDay } from './zone-days.ts';

export const CALLBACK_STATE_CHOICES = ['exhausted', 'pending', 'delivered'] as const;
export const ANSWER_CHOICES = ['0', '2', '3', '4', '5'] as const;

/** The filters as they stand in the address and in the form: texts, `''` for none. */
export type CallbackQuery = {
  state: '' | (typeof CALLBACK_STATE_CHOICES)[number];
  host: string;
  answer: '' | (typeof ANSWER_CHOICES)[number];
  from: string;
  to: string;
};

/** Reads the address; what is none of ours counts as no filter. */
export function readCallbackQuery(search: SearchParams): CallbackQuery {
  return {
    state: CALLBACK_STATE_CHOICES.find((each) => each === queryText(search.state)) ?? '',
    host: queryText(search.host, 2048).trim().toLowerCase(),
    answer: ANSWER_CHOICES.find((each) => each === queryText(search.answer)) ?? '',
    ...queryDays(search),
  };
}

/** The address of a list with these filters; empty ones are left out. */
export function callbackQueryString(
  query: CallbackQuery,
  more: Partial<CallbackQuery> & { after?: string } = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...more })) {
    if (value !== '') search.set(name, value);
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The filters as the procedure takes them; days begin and end in the viewer's zone. */
export function toCallbackFilters(query: CallbackQuery, timeZone: string) {
  return {
    states: query.state === '' ? [] : [query.state],
    host: query.host === '' ? null : query.host,
    httpClass: query.answer === '' ? null : Number(query.answer),
    fromMs: query.from === '' ? null : startOfDay(query.from, 0, timeZone),
    untilMs: query.to === '' ? null : startOfDay(query.to, 1, timeZone),
  };
}
