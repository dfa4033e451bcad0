import { foldCase } from '#server/lib/typed-text.ts';
import {
  daysInZone,
  oneOf,
  queryDays,
  queryText,
  type SearchParams,
} from '../../../_shared/lists/query-text.ts';

export const CALLBACK_STATE_CHOICES = ['exhausted', 'pending', 'delivered'] as const;
export const KIND_CHOICES = ['notification', 'event'] as const;
export const ANSWER_CHOICES = ['0', '2', '3', '4', '5'] as const;

/** The filters as the address and the form hold them: texts, `''` for none. */
export type CallbackQuery = {
  state: '' | (typeof CALLBACK_STATE_CHOICES)[number];
  kind: '' | (typeof KIND_CHOICES)[number];
  host: string;
  answer: '' | (typeof ANSWER_CHOICES)[number];
  from: string;
  to: string;
};

/** Reads the address; an unknown value counts as no filter. */
export function readCallbackQuery(search: SearchParams): CallbackQuery {
  return {
    state: oneOf(CALLBACK_STATE_CHOICES, queryText(search.state)),
    kind: oneOf(KIND_CHOICES, queryText(search.kind)),
    host: foldCase(queryText(search.host, 2048)),
    answer: oneOf(ANSWER_CHOICES, queryText(search.answer)),
    ...queryDays(search),
  };
}

/** The filters as the procedure takes them. */
export function toCallbackFilters(query: CallbackQuery, timeZone: string) {
  return {
    states: query.state === '' ? [] : [query.state],
    kind: query.kind === '' ? null : query.kind,
    host: query.host === '' ? null : query.host,
    httpClass: query.answer === '' ? null : Number(query.answer),
    ...daysInZone(query, timeZone),
  };
}
