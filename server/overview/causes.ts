import type { Queryable } from '../db/pool.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';
import { overdueRefund, overdueRefundTimes } from '../refunds/overdue.ts';
import { type Acknowledged, CAUSE_KINDS, type Cause, type CauseKind } from './types.ts';

/** Counting stops here: more would be no worse. */
const COUNTED_TO = 1_000;
const FAILED_REFUNDS_SINCE = "interval '30 days'";
const EXAMPLES = 3;

const SCOPE = 'merchant_id = $1::text AND environment = $2::environment';

/** The newest of some refunds or disputes, as JSON, of rows `x`. */
const EXAMPLES_OF = `(jsonb_agg(jsonb_build_object('invoiceId', x.invoice_id,
  'amountMinor', x.amount_minor::text, 'currency', x.currency,
  'atMs', (extract(epoch FROM x.at) * 1000)::bigint) ORDER BY x.at DESC) FILTER (WHERE x.place <= ${EXAMPLES}))`;

const listed = (kind: CauseKind, rows: string): string => `
  SELECT '${kind}' AS kind, NULL::text AS subject, count(*)::int AS count, max(x.at) AS newest,
    ${EXAMPLES_OF} AS examples
  FROM (SELECT *, row_number() OVER (ORDER BY at DESC) AS place FROM (${rows} LIMIT ${COUNTED_TO}) r) x`;

// A refund that failed waits for nobody once another one has taken its place.
const FAILED_REFUNDS = `
  SELECT r.invoice_id, r.amount_minor, r.currency, r.updated_at AS at FROM refunds r
  WHERE r.merchant_id = $1::text AND r.environment = $2::environment AND r.status = 'FAILED'
    AND r.updated_at > $3::timestamptz - ${FAILED_REFUNDS_SINCE}
    AND NOT EXISTS (SELECT FROM refunds l WHERE l.invoice_id = r.invoice_id
      AND l.created_at > r.created_at AND l.status <> 'FAILED')
  ORDER BY r.updated_at DESC`;

const OVERDUE_REFUNDS = `
  SELECT r.invoice_id, r.amount_minor, r.currency, r.created_at AS at
  FROM accounts a JOIN refunds r ON r.account_id = a.id
  WHERE r.status = 'PENDING' AND ${overdueRefund(['$4', '$5', '$6'])}
  ORDER BY r.created_at DESC`;

const DISPUTES = `
  SELECT d.invoice_id, d.amount_minor, d.currency, d.created_at AS at
  FROM accounts a JOIN disputes d ON d.account_id = a.id
  WHERE d.closed_at IS NULL ORDER BY d.created_at DESC`;

const CAUSES = `
  WITH accounts AS MATERIALIZED (
    SELECT id, name, is_enabled, disconnected_at, down_since FROM acquirer_accounts WHERE ${SCOPE}
  ), cause AS (
    SELECT 'account_down' AS kind, id AS subject, 1 AS count, down_since AS newest,
      NULL::jsonb AS examples
    FROM accounts WHERE down_since IS NOT NULL AND is_enabled AND disconnected_at IS NULL
    UNION ALL
    SELECT 'callbacks_failing', NULL, 1, coalesce(callbacks_changed_at, $3::timestamptz), NULL
    FROM notice_watches WHERE ${SCOPE} AND are_callbacks_failing
    UNION ALL
    SELECT 'callbacks_exhausted', NULL, count(*)::int, max(created_at), NULL FROM (
      SELECT created_at FROM callbacks WHERE ${SCOPE} AND state = 'exhausted'
      ORDER BY created_at DESC LIMIT ${COUNTED_TO}) c
    UNION ALL ${listed('disputes', DISPUTES)}
    UNION ALL ${listed('refunds_failed', FAILED_REFUNDS)}
    UNION ALL ${listed('refunds_overdue', OVERDUE_REFUNDS)}
    UNION ALL
    SELECT 'books_differ', NULL, count(*)::int, max(found_at), NULL FROM (
      SELECT d.found_at FROM accounts a JOIN book_differences d ON d.account_id = a.id
      WHERE d.gone_at IS NULL AND d.settled_at IS NULL LIMIT ${COUNTED_TO}) d
    UNION ALL
    -- Money is at stake in production only.
    SELECT 'second_factor', NULL, count(*)::int, max(m.created_at), NULL
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.merchant_id = $1::text AND $2::environment = 'production' AND m.role = 'owner'
      AND u.totp_enabled_at IS NULL AND u.disabled_at IS NULL
  )
  SELECT c.kind, c.subject, c.count, c.newest, c.examples, a.name AS account,
    k.seen_count, k.seen_newest, k.at AS seen_at, u.email AS seen_by
  FROM cause c
  LEFT JOIN accounts a ON a.id = c.subject
  LEFT JOIN acknowledgements k ON k.merchant_id = $1::text AND k.environment = $2::environment
    AND k.cause = concat_ws(' ', c.kind, c.subject)
  LEFT JOIN users u ON u.id = k.user_id
  WHERE c.count > 0`;

type Row = {
  kind: CauseKind;
  subject: string | null;
  count: number;
  newest: Date | null;
  examples: { invoiceId: string; amountMinor: string; currency: Currency; atMs: number }[] | null;
  account: string | null;
  seen_count: number | null;
  seen_newest: Date | null;
  seen_at: Date | null;
  seen_by: string | null;
};

// A cause that has grown or has something newer than what was seen waits again.
function acknowledgedOf(row: Row): Acknowledged | null {
  const { count, newest, seen_count, seen_newest, seen_at, seen_by } = row;
  if (seen_count === null || seen_at === null || count > seen_count) return null;
  if (newest !== null && (seen_newest === null || newest > seen_newest)) return null;
  return { by: seen_by, atMs: seen_at.getTime() };
}

/** What waits for somebody of a merchant, the most pressing first, in one statement. */
export async function readCauses(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { now }: { now: Date },
): Promise<Cause[]> {
  const { rows } = await db.query<Row>({
    name: 'overview_causes',
    text: CAUSES,
    values: [merchantId, environment, now.toISOString(), ...overdueRefundTimes(now)],
  });
  const rank = ({ kind }: Row): number => CAUSE_KINDS.indexOf(kind);
  rows.sort((one, other) => rank(one) - rank(other));
  return rows.map((row) => ({
    kind: row.kind,
    cause: row.subject === null ? row.kind : `${row.kind} ${row.subject}`,
    count: row.count,
    isMore: row.count >= COUNTED_TO,
    newestAtMs: row.newest?.getTime() ?? null,
    account: row.account,
    examples: (row.examples ?? []).map(({ amountMinor, ...each }) => ({
      ...each,
      amountMinor: BigInt(amountMinor),
    })),
    acknowledged: acknowledgedOf(row),
  }));
}
