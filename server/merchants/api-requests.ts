import type { Queryable } from '../db/pool.ts';
import type { Tenant } from './types.ts';

/** One stored request to the REST API, without bodies and secrets. */
export type ApiRequest = {
  tenant: Tenant;
  at: Date;
  tokenId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  /** From the error envelope. */
  message: string | null;
  /** A 422's `detail`, as JSON text. */
  faults: string | null;
  invoiceId: string | null;
  merchantTransactionId: string | null;
  /** How many successful requests before it were left out. */
  skipped: number;
};

const INSERT = `
  INSERT INTO api_requests
    (at, merchant_id, environment, token_id, request_id, method, path, status, duration_ms,
     message, faults, invoice_id, merchant_transaction_id, skipped)
  SELECT * FROM json_to_recordset($1::json) AS r (
    "at" timestamptz, "merchantId" text, "environment" environment, "tokenId" text,
    "requestId" text, "method" text, "path" text, "status" int, "durationMs" real,
    "message" text, "faults" text, "invoiceId" text, "merchantTransactionId" text, "skipped" int)`;

/**
 * Writes requests in one statement, as JSON: `pg` escapes lists of texts twenty times as slowly,
 * which took seconds for some megabytes of quotes.
 */
export async function recordApiRequests(
  db: Queryable,
  requests: readonly ApiRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map(({ tenant, ...request }) => ({
    ...request,
    merchantId: tenant.merchantId,
    environment: tenant.environment,
  }));
  await db.query({ name: 'api_requests_record', text: INSERT, values: [JSON.stringify(rows)] });
}

/** How long requests are kept. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

// The oldest rows are at the beginning of the primary key, so no index by time is needed. A run
// reads at most `limit` rows, deleted or not. Rows written by a clock far ahead go as well:
// otherwise they would stay until their time and block all rows behind them.
const CLEAN_UP = `
  DELETE FROM api_requests WHERE id IN (
    SELECT oldest.id FROM (SELECT id, at FROM api_requests ORDER BY id LIMIT $2::int) oldest
    WHERE oldest.at NOT BETWEEN $1::timestamptz AND $3::timestamptz)`;

/**
 * Deletes up to `limit` requests that are older than seven days, or as far ahead.
 *
 * @returns how many were deleted
 */
export async function cleanUpApiRequests(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [since, until] = [-KEPT_MS, KEPT_MS].map((ms) =>
    new Date(now.getTime() + ms).toISOString(),
  );
  const values = [since, limit, until];
  const { rowCount } = await db.query({ name: 'api_requests_clean_up', text: CLEAN_UP, values });
  return rowCount ?? 0;
}
