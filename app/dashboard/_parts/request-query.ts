import { MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { queryText, type SearchParams } from './query-text.ts';

export const OUTCOME_CHOICES = ['succeeded', 'failed', 'client_fault', 'server_fault'] as const;
export const ENDPOINT_CHOICES = [
  '/invoice/create',
  '/invoice/status',
  '/invoice/cancel',
  '/test/invoice/pay',
  '/test/invoice/expire',
] as const;

/** The filters as they stand in the address and in the form: texts, `''` for none. */
export type RequestQuery = {
  q: string;
  outcome: '' | (typeof OUTCOME_CHOICES)[number];
  endpoint: '' | (typeof ENDPOINT_CHOICES)[number];
};

/** Reads the address; what is none of ours counts as no filter. */
export function readRequestQuery(search: SearchParams): RequestQuery {
  return {
    q: queryText(search.q, MAX_SEARCH_LENGTH),
    outcome: OUTCOME_CHOICES.find((each) => each === queryText(search.outcome)) ?? '',
    endpoint: ENDPOINT_CHOICES.find((each) => each === queryText(search.endpoint)) ?? '',
  };
}

/** The address of a list with these filters; empty ones are left out. */
export function requestQueryString(query: RequestQuery, more: { after?: string } = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...more })) {
    if (value !== '') search.set(name, value);
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The filters as the procedure takes them. */
export function toRequestFilters({ q, outcome, endpoint }: RequestQuery) {
  return {
    search: q === '' ? null : q,
    outcome: outcome === '' ? null : outcome,
    endpoint: endpoint === '' ? null : endpoint,
  };
}
