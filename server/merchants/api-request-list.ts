import type pg from 'pg';
import { queryByIndexes } from '../db/index-plans.ts';
import { readingsOf } from '../lib/typed-text.ts';
import type { Tenant } from './types.ts';

export const REQUEST_OUTCOMES = ['succeeded', 'failed', 'client_fault', 'server_fault'] as const;
/** client_fault: 4xx; server_fault: 5xx; failed: either. */
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** What is wrong with one field, as in the 422. */
export type FieldFault = { loc: (string | number)[]; msg: string; type: string };

/** A request to the API as staff see it. */
export type ApiRequestView = {
  id: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
  tokenName: string | null;
  message: string | null;
  faults: FieldFault[];
  invoiceId: string | null;
  merchantTransactionId: string | null;
  skipped: number;
};

export type RequestFilters = {
  /** A request, invoice or merchant_transaction id, as `readingsOf` gives it; null for any. */
  search: string | null;
  outcome: RequestOutcome | null;
  /** e.g. `/invoice/create`; null for any. */
  endpoint: string | null;
};

type Row = Omit<ApiRequestView, 'faults'> & { faults: string | null };

const MAX_PAGE = 200;
// Twice as many took 160 ms with five million rows, none of which matched.
const SCAN_LIMIT = 10_000;

// $1 merchant, $2 environment, $3 the id to continue after. ANY and NEWEST make the order that of
// an index with the merchant. For a merchant with most of the requests, PostgreSQL would otherwise
// read the primary key, and with it everything that others have sent since.
const NEWEST = 'ORDER BY r.merchant_id, r.id DESC';
const OF_TENANT = `
  r.merchant_id = ANY (ARRAY[$1::text]) AND r.environment = $2::environment
  AND r.id < coalesce($3::bigint, 9223372036854775807)`;

// The condition is written out, because an index holds the failures.
const OUTCOMES: Record<RequestOutcome | 'any', string> = {
  any: '',
  succeeded: 'AND r.status < 400',
  failed: 'AND r.status >= 400',
  client_fault: 'AND r.status >= 400 AND r.status < 500',
  server_fault: 'AND r.status >= 400 AND r.status >= 500',
};
// $5 is an endpoint.
const matching = (outcome: RequestOutcome | 'any') => `
  ${OUTCOMES[outcome]} AND ($5::text IS NULL OR right(r.path, length($5::text)) = $5::text)`;
const indexed = (outcome: RequestOutcome | 'any') =>
  outcome === 'any' || outcome === 'succeeded' ? '' : 'AND r.status >= 400';

const VIEW = `
  SELECT page.id::text, page.at, page.method, page.path, page.status,
         page.duration_ms AS "durationMs", page.request_id AS "requestId", t.name AS "tokenName",
         page.message, page.faults, page.invoice_id AS "invoiceId",
         page.merchant_transaction_id AS "merchantTransactionId", page.skipped
  FROM page LEFT JOIN api_tokens t ON t.id = page.token_id AND t.merchant_id = $1::text
  ORDER BY page.id DESC`;

// $4 is how far back to look, $6 how many. The rows are read in order first; with all conditions at
// once, PostgreSQL might search the rows of all merchants.
const list = (outcome: RequestOutcome | 'any') => `
  WITH page AS (
    SELECT r.* FROM (
      SELECT r.* FROM api_requests r
      WHERE ${OF_TENANT} AND r.id >= $4::bigint ${indexed(outcome)}
      ${NEWEST} LIMIT ${SCAN_LIMIT + 1}
    ) r
    WHERE true ${matching(outcome)} ${NEWEST} LIMIT $6::int
  ) ${VIEW}`;

// No index holds the endpoint: a page reads a limited number of rows and says how far it got.
const horizon = (outcome: RequestOutcome | 'any') => `
  SELECT r.id::text, r.at FROM api_requests r WHERE ${OF_TENANT} ${indexed(outcome)}
  ${NEWEST} OFFSET $4::int LIMIT 1`;

// For each reading the newest rows, as many as a page has: an invoice may be polled millions of
// times, and a caller may give all requests one id. Read backwards, so that new rows come at an
// index's end.
const found = (outcome: RequestOutcome | 'any', readings: readonly string[]) =>
  ['request_id', 'invoice_id', 'merchant_transaction_id']
    .flatMap((column) =>
      readings.map(
        (_, at) => `
    (SELECT r.* FROM api_requests r
     WHERE ${OF_TENANT} AND r.${column} = ($4::text[])[${at + 1}] ${matching(outcome)}
     ORDER BY r.merchant_id DESC, r.id DESC LIMIT $6::int)`,
      ),
    )
    .join(' UNION ');

const search = (outcome: RequestOutcome | 'any', readings: readonly string[]) => `
  WITH found AS MATERIALIZED (${found(outcome, readings)}), page AS (
    SELECT r.* FROM found r ORDER BY r.id DESC LIMIT $6::int
  ) ${VIEW}`;

function toView({ faults, ...row }: Row): ApiRequestView {
  return { ...row, faults: faults === null ? [] : (JSON.parse(faults) as FieldFault[]) };
}

/** An invalid cursor counts as the beginning, because it comes from outside. */
const checkedCursor = (cursor: string | null): string | null =>
  /^\d{1,18}$/.test(cursor ?? '') ? cursor : null;

/**
 * A tenant's API requests of the last days, the newest first.
 *
 * @param cursor the previous page's `nextCursor`, or null
 * @param limit 1 to 200
 * @param scanLimit how many rows a page reads
 * @returns `searchedUntil`: rows older than this were not read yet; null when the
 *   page is complete
 */
export async function listApiRequests(
  pool: pg.Pool,
  tenant: Tenant,
  page: RequestFilters & { cursor: string | null; limit: number; scanLimit?: number },
): Promise<{
  requests: ApiRequestView[];
  nextCursor: string | null;
  searchedUntil: Date | null;
}> {
  const limit = Math.min(Math.max(1, page.limit), MAX_PAGE);
  const outcome = page.outcome ?? 'any';
  const owner = [tenant.merchantId, tenant.environment, checkedCursor(page.cursor)];
  const readings = page.search === null ? null : readingsOf(page.search);
  // A query that an index answers directly ends by itself when the page is full.
  const isIndexed = page.endpoint === null && (outcome === 'any' || outcome === 'failed');
  const [end = null] =
    readings || isIndexed
      ? []
      : await queryByIndexes<{ id: string; at: Date }>(pool, {
          name: `api_requests_horizon_${outcome}`,
          text: horizon(outcome),
          values: [...owner, page.scanLimit ?? SCAN_LIMIT],
        });
  const asked = {
    name: `api_requests_${readings ? `search_${readings.length}` : 'list'}_${outcome}`,
    text: readings ? search(outcome, readings) : list(outcome),
    values: [...owner, readings ?? end?.id ?? '0', page.endpoint, limit + 1],
  };
  const rows = await queryByIndexes<Row>(pool, asked);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    requests: shown.map(toView),
    nextCursor: last?.id ?? end?.id ?? null,
    searchedUntil: last ? null : (end?.at ?? null),
  };
}
