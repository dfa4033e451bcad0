import type { Queryable } from '../db/pool.ts';
import type { Tenant } from './types.ts';

/** One request to the REST API as it is kept: neither bodies nor secrets. */
export type ApiRequest = {
  tenant: Tenant;
  at: Date;
  tokenId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  /** Of the error envelope. */
  message: string | null;
  /** `detail` of a 422, as JSON text. */
  faults: string | null;
  invoiceId: string | null;
  merchantTransactionId: string | null;
  /** How many successful ones before it were left out. */
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
 * which for some megabytes of quotes took seconds.
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

// The oldest stand at the beginning of the primary key, so that no index by time is
// needed: a run looks at `limit` rows at most, gone or not. What a clock far ahead has written goes as
// well: it would stand there until its time, and nothing behind it would ever be looked at.
const CLEAN_UP = `
  DELETE FROM api_requests WHERE id IN (
    SELECT oldest.id FROM (SELECT id, at FROM api_requests ORDER BY id LIMIT $2::int) oldest
    WHERE oldest.at NOT BETWEEN $1::timestamptz AND $3::timestamptz)`;

/**
 * Deletes up to `limit` requests that are older than seven days, or as far ahead.
 *
 * @returns how many are gone
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
