import { MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { oneOf, queryText, type SearchParams } from '../../../_shared/lists/query-text.ts';

export const OUTCOME_CHOICES = ['succeeded', 'failed', 'client_fault', 'server_fault'] as const;
export const ENDPOINT_CHOICES = [
  '/invoice/create',
  '/invoice/status',
  '/invoice/cancel',
  '/invoice/details',
  '/invoice/list',
  '/event/list',
  '/invoice/refund',
  '/invoice/refunds',
  '/callback/resend',
  '/test/invoice/pay',
  '/test/invoice/expire',
  '/test/callback/resend',
] as const;

/** The filters as the address and the form hold them: texts, `''` for none. */
export type RequestQuery = {
  q: string;
  outcome: '' | (typeof OUTCOME_CHOICES)[number];
  endpoint: '' | (typeof ENDPOINT_CHOICES)[number];
};

/** Reads the address; an unknown value counts as no filter. */
export function readRequestQuery(search: SearchParams): RequestQuery {
  return {
    q: queryText(search.q, MAX_SEARCH_LENGTH),
    outcome: oneOf(OUTCOME_CHOICES, queryText(search.outcome)),
    endpoint: oneOf(ENDPOINT_CHOICES, queryText(search.endpoint)),
  };
}

/** The filters as the procedure takes them. */
export function toRequestFilters({ q, outcome, endpoint }: RequestQuery) {
  return {
    search: q === '' ? null : q,
    outcome: outcome === '' ? null : outcome,
    endpoint: endpoint === '' ? null : endpoint,
  };
}
