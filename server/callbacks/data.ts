import type pg from 'pg';
import { planByIndexes } from '../db/index-plans.ts';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { eventTypeOf } from '../events/types.ts';
import type { Tenant } from '../merchants/types.ts';
import { isNamed } from './enqueue.ts';
import { messageId } from './http/sign.ts';
import { isClaimed } from './queue/fair-share.ts';
import {
  CALLBACK_STATES,
  type CallbackAttemptView,
  type CallbackKind,
  type CallbackState,
  type CallbackView,
} from './types.ts';

const MAX_PAGE = 200;
const SCAN_LIMIT = 10_000;
// The limit is far above the schedule and people's resends; only a script exceeds it.
const MAX_ATTEMPTS_READ = 200;

type CallbackRow = Omit<CallbackView, 'messageId' | 'eventType'>;
type AttemptRow = Omit<CallbackAttemptView, 'answer'> & { answer: Buffer | null };

// $1 merchant, $2 environment, $3 now.
const COLUMNS = `
  c.id, c.kind, c.invoice_id AS "invoiceId", c.url, c.host, c.invoice_status AS "invoiceStatus", c.state,
  c.attempt_count AS "attemptCount", c.attempt_count - c.extra_attempts AS "stepsTaken",
  CASE WHEN c.state = 'pending' THEN c.next_attempt_at END AS "nextAttemptAt",
  c.state = 'pending' AND c.next_trigger = 'resend' AS "isResend",
  ${isClaimed('$1', '$3')} AS "inFlight",
  c.created_at AS "createdAt", c.delivered_at AS "deliveredAt",
  c.last_reason AS "lastReason", c.last_http_status AS "lastHttpStatus"`;
const READ = `c.id, c.kind, c.invoice_id, c.url, c.host, c.invoice_status, c.state, c.attempt_count,
  c.extra_attempts, c.next_attempt_at, c.next_trigger, c.created_at, c.delivered_at, c.last_reason,
  c.last_http_status`;
const OF_TENANT = 'c.merchant_id = $1::text AND c.environment = $2::environment';

// $4 states, $5 and $6 the place to continue after, $7 and $8 the days. `coalesce` makes any plan
// of PostgreSQL enter the index at the right place.
const BETWEEN = `
  c.created_at <= coalesce($5::timestamptz, 'infinity')
  AND ($5::timestamptz IS NULL OR c.created_at < $5::timestamptz OR c.id < $6::text)
  AND c.created_at >= coalesce($7::timestamptz, '-infinity')
  AND c.created_at < coalesce($8::timestamptz, 'infinity')`;

// The query goes state by state, because the index has the state before the time: each part reads
// at most a page, and their union is sorted. No index has the kind, the host and the answer (each would
// cost every delivery). With such a filter, at most this many rows of a state are read ($9) until the
// page is full, and the row where the reading ended comes too.
const LIST = `
  SELECT page.* FROM unnest($4::callback_state[]) AS wanted (state)
  CROSS JOIN LATERAL (
    SELECT ${COLUMNS}, c.fits, c.n = $9::bigint AS "isEnd" FROM (
      SELECT c.*, ($10::text IS NULL OR c.host = $10::text) AND ($11::int IS NULL
          OR (c.attempt_count > 0 AND coalesce(c.last_http_status, 0) / 100 = $11::int))
          AND ($13::callback_kind IS NULL OR c.kind = $13::callback_kind) AS fits
      FROM (
        SELECT ${READ}, row_number() OVER (ORDER BY c.created_at DESC, c.id DESC) AS n
        FROM callbacks c WHERE ${OF_TENANT} AND c.state = wanted.state AND ${BETWEEN}
        ORDER BY c.created_at DESC, c.id DESC LIMIT $9::bigint
      ) c
    ) c
    WHERE c.fits OR c.n = $9::bigint
    ORDER BY c.created_at DESC, c.id DESC LIMIT $12::int
  ) page
  ORDER BY page."createdAt" DESC, page.id DESC LIMIT $12::int`;

const ONE = `
  SELECT ${COLUMNS}, convert_from(c.body, 'UTF8') AS body FROM callbacks c
  WHERE ${OF_TENANT} AND ${isNamed('$4::text')}`;

const ATTEMPTS = `
  SELECT * FROM (
    SELECT number, started_at AS "startedAt", duration_ms AS "durationMs",
           http_status AS "httpStatus", delivered, reason, answer, trigger
    FROM callback_attempts WHERE callback_id = $1::text
    ORDER BY number DESC LIMIT ${MAX_ATTEMPTS_READ}
  ) newest ORDER BY number`;

function toView(row: CallbackRow): CallbackView {
  return { ...row, messageId: messageId(row.id), eventType: eventTypeOf(row.id) };
}

const LAST_INSTANT_MS = Date.UTC(9999, 11, 31);

type Place = { createdAt: Date; id: string };

function encodeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');
}

/** An invalid cursor counts as the beginning, because it comes from outside. */
function decodeCursor(cursor: string | null): Place | null {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('utf8');
  const match = /^(\d{1,15}):([\x21-\x7e]{1,255})$/.exec(text);
  // PostgreSQL's dates end before JavaScript's years of six digits.
  if (!match || Number(match[1]) > LAST_INSTANT_MS) return null;
  return { createdAt: new Date(Number(match[1])), id: match[2] ?? '' };
}

/** The filters of callbacks; null and an empty list stand for all. */
export type CallbackFilters = {
  states: readonly CallbackState[];
  kind: CallbackKind | null;
  /** The host in lower case, with the port if the URL names one. */
  host: string | null;
  /** The first digit of the last answer's status; 0 stands for no answer. */
  httpClass: number | null;
  /** The times of the status change: from, and before. */
  from: Date | null;
  until: Date | null;
};

/** The states to search: a delivered callback was answered 2xx. */
function statesOf({ states = [], httpClass = null }: Partial<CallbackFilters>): CallbackState[] {
  const wanted = states.length === 0 ? CALLBACK_STATES : states;
  const without = httpClass === null || httpClass === 2;
  return wanted.filter((state) => without || state !== 'delivered');
}

/**
 * A tenant's callbacks, the newest first.
 *
 * @param cursor `nextCursor` of the page before, or null
 * @param limit 1 to 200
 * @param scanLimit rows of a state that a page with a filter by kind, host or answer reads
 * @returns `searchedUntil`: callbacks older than this are not searched yet; null if the page is
 *   complete
 */
export async function listCallbacks(
  pool: pg.Pool,
  tenant: Tenant,
  page: Partial<CallbackFilters> & {
    cursor: string | null;
    limit: number;
    now: Date;
    scanLimit?: number;
  },
): Promise<{
  callbacks: CallbackView[];
  nextCursor: string | null;
  searchedUntil: Date | null;
}> {
  const limit = Math.min(Math.max(1, page.limit), MAX_PAGE);
  const { kind = null, host = null, httpClass = null, scanLimit = SCAN_LIMIT } = page;
  const states = statesOf(page);
  if (states.length === 0) return { callbacks: [], nextCursor: null, searchedUntil: null };
  const after = decodeCursor(page.cursor);
  const isNarrow = kind !== null || host !== null || httpClass !== null;
  const query = {
    name: 'callbacks_list',
    text: LIST,
    values: [
      tenant.merchantId,
      tenant.environment,
      page.now.toISOString(),
      states,
      after?.createdAt.toISOString() ?? null,
      after?.id ?? null,
      page.from?.toISOString() ?? null,
      page.until?.toISOString() ?? null,
      (isNarrow ? scanLimit : limit) + 1,
      host,
      httpClass,
      limit + 1,
      kind,
    ],
  };
  const rows = await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    return (await db.query<CallbackRow & { fits: boolean; isEnd: boolean }>(query)).rows;
  });
  // The other states are incomplete below the newest row at which a state's reading ended.
  const endAt = rows.findIndex((row) => isNarrow && row.isEnd);
  const end = rows[endAt] ?? null;
  const whole = (end ? rows.slice(0, endAt + 1) : rows).filter(({ fits }) => fits);
  const shown = whole.slice(0, limit);
  const last = whole.length > limit ? (shown.at(-1) ?? null) : null;
  const next = last ?? end;
  return {
    callbacks: shown.map(({ fits, isEnd, ...row }) => toView(row)),
    nextCursor: next && encodeCursor(next),
    searchedUntil: last ? null : (end?.createdAt ?? null),
  };
}

/**
 * A callback with its JSON text and its newest attempts, oldest first, or null. `attemptCount` tells
 * if there are more attempts.
 *
 * @param name an invoice's id for its notification, or an event's
 */
export async function readCallback(
  db: Queryable,
  tenant: Tenant,
  name: string,
  { now }: { now: Date },
): Promise<{ callback: CallbackView; body: string; attempts: CallbackAttemptView[] } | null> {
  const { rows } = await db.query<CallbackRow & { body: string }>({
    name: 'callbacks_read',
    text: ONE,
    values: [tenant.merchantId, tenant.environment, now.toISOString(), name],
  });
  const [row] = rows;
  if (!row) return null;
  const attempts = await db.query<AttemptRow>({
    name: 'callbacks_attempts',
    text: ATTEMPTS,
    values: [row.id],
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
