import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { messageId } from './sign.ts';
import {
  CALLBACK_STATES,
  type CallbackAttemptView,
  type CallbackState,
  type CallbackView,
} from './types.ts';

const MAX_PAGE = 200;

type CallbackRow = Omit<CallbackView, 'messageId'>;
type AttemptRow = Omit<CallbackAttemptView, 'answer'> & { answer: Buffer | null };

// $1 merchant, $2 environment, $3 now.
const COLUMNS = `
  c.invoice_id AS "invoiceId", c.url, c.host, c.invoice_status AS "invoiceStatus", c.state,
  c.attempt_count AS "attemptCount",
  CASE WHEN c.state = 'pending' THEN c.next_attempt_at END AS "nextAttemptAt",
  coalesce(c.claimed_until > $3::timestamptz, false) AS "inFlight",
  c.created_at AS "createdAt", c.delivered_at AS "deliveredAt",
  c.last_reason AS "lastReason", c.last_http_status AS "lastHttpStatus"`;
const OF_TENANT = 'c.merchant_id = $1::text AND c.environment = $2::environment';

// State by state, because the index has the state before the time: each part
// reads at most a page, and their union is sorted.
const LIST = `
  SELECT page.* FROM unnest($4::callback_state[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM callbacks c
    WHERE ${OF_TENANT} AND c.state = wanted.state
      AND ($5::timestamptz IS NULL OR (c.created_at <= $5::timestamptz
        AND (c.created_at < $5::timestamptz OR c.invoice_id < $6::text)))
    ORDER BY c.created_at DESC, c.invoice_id DESC LIMIT $7::int
  ) page
  ORDER BY page."createdAt" DESC, page."invoiceId" DESC LIMIT $7::int`;

const ONE = `
  SELECT ${COLUMNS}, convert_from(c.body, 'UTF8') AS body FROM callbacks c
  WHERE ${OF_TENANT} AND c.invoice_id = $4::text`;

const ATTEMPTS = `
  SELECT number, started_at AS "startedAt", duration_ms AS "durationMs",
         http_status AS "httpStatus", delivered, reason, answer, trigger
  FROM callback_attempts WHERE invoice_id = $1::text ORDER BY number`;

function toView(row: CallbackRow): CallbackView {
  return { ...row, messageId: messageId(row.invoiceId) };
}

function encodeCursor(row: CallbackRow): string {
  return Buffer.from(`${row.createdAt.getTime()}:${row.invoiceId}`).toString('base64url');
}

/** A cursor that is none of ours counts as the beginning: it comes from outside. */
function decodeCursor(cursor: string | null): { createdAt: Date; invoiceId: string } | null {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('utf8');
  const match = /^(\d{1,15}):([\x21-\x7e]{1,255})$/.exec(text);
  if (!match) return null;
  return { createdAt: new Date(Number(match[1])), invoiceId: match[2] ?? '' };
}

/**
 * A tenant's callbacks, the newest first.
 *
 * @param states which; empty for all
 * @param cursor `nextCursor` of the page before, or null
 * @param limit 1 to 200
 */
export async function listCallbacks(
  db: Queryable,
  tenant: Tenant,
  page: { states: readonly CallbackState[]; cursor: string | null; limit: number; now: Date },
): Promise<{ callbacks: CallbackView[]; nextCursor: string | null }> {
  const limit = Math.min(Math.max(1, page.limit), MAX_PAGE);
  const after = decodeCursor(page.cursor);
  const { rows } = await db.query<CallbackRow>({
    name: 'callbacks_list',
    text: LIST,
    values: [
      tenant.merchantId,
      tenant.environment,
      page.now.toISOString(),
      page.states.length === 0 ? CALLBACK_STATES : page.states,
      after?.createdAt.toISOString() ?? null,
      after?.invoiceId ?? null,
      limit + 1,
    ],
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    callbacks: shown.map(toView),
    nextCursor: last && rows.length > limit ? encodeCursor(last) : null,
  };
}

/** One callback with the JSON text that is sent and all its attempts, or null. */
export async function readCallback(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
  { now }: { now: Date },
): Promise<{ callback: CallbackView; body: string; attempts: CallbackAttemptView[] } | null> {
  const { rows } = await db.query<CallbackRow & { body: string }>({
    name: 'callbacks_read',
    text: ONE,
    values: [tenant.merchantId, tenant.environment, now.toISOString(), invoiceId],
  });
  const [row] = rows;
  if (!row) return null;
  const attempts = await db.query<AttemptRow>({
    name: 'callbacks_attempts',
    text: ATTEMPTS,
    values: [invoiceId],
  });
  const { body, ...callback } = row;
  return {
    callback: toView(callback),
    body,
    attempts: attempts.rows.map((attempt) => ({
      ...attempt,
      answer: attempt.answer?.toString('utf8') ?? null,
    })),
  };
}
