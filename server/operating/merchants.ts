import type pg from 'pg';
import { QUEUE, QUEUES } from '../callbacks/queue/queues.ts';
import { queryByIndexes } from '../db/index-plans.ts';
import type { Queryable } from '../db/pool.ts';
import { readSpans } from '../invoices/lists/overview.ts';
import type { Currency } from '../lib/money.ts';
import { foldCase } from '../lib/typed-text.ts';
import { type MerchantRow, type MerchantSummary, toSummary } from '../merchants/data.ts';
import type { Environment, Tenant } from '../merchants/types.ts';

// Counting callbacks stops here; the figure then means "at least".
const CALLBACK_LIMIT = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

/** A merchant's activity in one environment. */
export type MerchantActivity = {
  environment: Environment;
  /** Among the invoices created within the last 24 hours. */
  paid: { count: number; byCurrency: { currency: Currency; amountMinor: bigint }[] };
  /** Callbacks due now, and how long the first has waited (milliseconds). */
  callbacksDue: number;
  callbacksDueIsMore: boolean;
  callbackLagMs: number;
  /** Callbacks of the last seven days with no attempts left. */
  exhausted: number;
  exhaustedIsMore: boolean;
};

/** How an operator gets access to a merchant's own figures. */
export type TenantOf = (merchantId: string, environment: Environment) => Tenant;

/** A merchant on the operator's pages. Times in milliseconds. */
export type MerchantHealth = MerchantSummary & { activity: MerchantActivity[] };

type ActivityRow = {
  environment: Environment;
  due: number;
  due_since: string | null;
  exhausted: number;
};

type Row = MerchantRow & { activity: ActivityRow[] };

// $1 now, $2 a week ago, $3 the environments. Each lateral part stops at its limit, so the cost
// does not grow with a merchant's data.
const HEALTH = `
  SELECT m.id, m.name, m.status, m.created_at, m.suspended_at,
         -- In two steps, or all users would be read in this order.
         array(SELECT o.email FROM (
                 SELECT u.email FROM memberships s JOIN users u ON u.id = s.user_id
                 WHERE s.merchant_id = m.id AND s.role = 'owner' OFFSET 0) o
               ORDER BY o.email LIMIT 20) AS owner_emails,
         a.activity
  FROM page m CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
             'environment', e.environment, 'due', due.count, 'due_since', due.since,
             'exhausted', exhausted.count) ORDER BY e.environment) AS activity
    FROM unnest($3::environment[]) AS e(environment)
    CROSS JOIN LATERAL (
      SELECT least(count(*), ${CALLBACK_LIMIT})::int AS count, min(d.next_attempt_at) AS since
      FROM unnest(ARRAY[${Object.values(QUEUES)}]) AS q(queue)
      CROSS JOIN LATERAL (
        SELECT c.next_attempt_at FROM callbacks c
        WHERE c.merchant_id = m.id AND ${QUEUE} = q.queue AND c.state = 'pending'
          AND c.next_attempt_at <= $1::timestamptz
          AND (q.queue <> ${QUEUES.event} OR c.environment = e.environment)
        ORDER BY c.next_attempt_at LIMIT ${CALLBACK_LIMIT}) d
      WHERE q.queue = ${QUEUES.event}
        OR (q.queue = ${QUEUES.sandbox}) = (e.environment = 'sandbox')) due
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count
      FROM (SELECT FROM callbacks
            WHERE merchant_id = m.id AND environment = e.environment AND state = 'exhausted'
              AND created_at >= $2::timestamptz LIMIT ${CALLBACK_LIMIT}) x) exhausted
  ) a
  ORDER BY m.place`;

/** The results of the invoices created within the last 24 hours. */
async function readPaid(
  db: Queryable,
  tenant: Tenant,
  now: Date,
): Promise<MerchantActivity['paid']> {
  const [day] = await readSpans(db, tenant, [now.getTime() - DAY_MS, now.getTime()]);
  const volumes = (day?.volumes ?? []).toSorted((one, other) => other.paid - one.paid);
  return {
    count: day?.paid ?? 0,
    byCurrency: volumes.map(({ currency, amountMinor }) => ({ currency, amountMinor })),
  };
}

async function toHealth(
  db: Queryable,
  row: Row,
  { now, tenantOf }: { now: Date; tenantOf: TenantOf },
): Promise<MerchantHealth> {
  const activity: MerchantActivity[] = [];
  for (const { environment, due, due_since, exhausted } of row.activity) {
    activity.push({
      environment,
      paid: await readPaid(db, tenantOf(row.id, environment), now),
      callbacksDue: due,
      callbacksDueIsMore: due >= CALLBACK_LIMIT,
      callbackLagMs: due_since === null ? 0 : now.getTime() - Date.parse(due_since),
      exhausted,
      exhaustedIsMore: exhausted >= CALLBACK_LIMIT,
    });
  }
  return { ...toSummary(row), activity };
}

function valuesAt(now: Date, environments: readonly Environment[]): unknown[] {
  return [now.toISOString(), new Date(now.getTime() - WEEK_MS).toISOString(), environments];
}

/**
 * A LIKE pattern that finds a folded text within unfolded ones: LIKE's own characters are escaped,
 * and an apostrophe or a dash matches any of its variants.
 */
const within = (folded: string): string =>
  `%${folded.replace(/[\\%_]/g, '\\$&').replace(/['-]/g, '_')}%`;

/**
 * A page of merchants with each one's activity in one environment: those named in `first`, in its
 * order, then the others, the newest first.
 *
 * @param search part of a name or of an owner's address, or a full id of a merchant or of one of
 *   its invoices; '' finds all
 * @param page counts from 1
 */
export async function listMerchantHealth(
  pool: pg.Pool,
  page: {
    search: string;
    first: readonly string[];
    page: number;
    limit: number;
    environment: Environment;
    now: Date;
    tenantOf: TenantOf;
  },
): Promise<{ merchants: MerchantHealth[]; isMore: boolean }> {
  const search = foldCase(page.search);
  const rows = await queryByIndexes<Row>(pool, {
    text: `WITH page AS MATERIALIZED (
       SELECT m.*, row_number() OVER (ORDER BY w.place, m.id DESC) AS place FROM merchants m
       LEFT JOIN unnest($4::text[]) WITH ORDINALITY AS w (id, place) ON w.id = m.id
       WHERE ($5::text = '' OR m.id = $5::text OR normalize(m.name, NFKC) ILIKE $6::text
              OR m.id = (SELECT merchant_id FROM invoices WHERE id = $5::text)
              OR m.id IN (SELECT s.merchant_id FROM users u JOIN memberships s ON s.user_id = u.id
                          WHERE u.email LIKE $6::text AND s.role = 'owner'))
       ORDER BY w.place, m.id DESC LIMIT $7::int OFFSET $8::int)
     ${HEALTH}`,
    values: [
      ...valuesAt(page.now, [page.environment]),
      page.first,
      search,
      within(search),
      page.limit + 1,
      (page.page - 1) * page.limit,
    ],
  });
  const merchants: MerchantHealth[] = [];
  // One after the other: all at once would take every connection.
  for (const row of rows.slice(0, page.limit)) merchants.push(await toHealth(pool, row, page));
  return { merchants, isMore: rows.length > page.limit };
}

/** One merchant with its activity in both environments, or null. */
export async function readMerchantHealth(
  pool: pg.Pool,
  merchantId: string,
  at: { now: Date; tenantOf: TenantOf },
): Promise<MerchantHealth | null> {
  const [row] = await queryByIndexes<Row>(pool, {
    text: `WITH page AS MATERIALIZED (SELECT *, 1 AS place FROM merchants WHERE id = $4::text) ${HEALTH}`,
    values: [...valuesAt(at.now, ['sandbox', 'production']), merchantId],
  });
  return row ? toHealth(pool, row, at) : null;
}

/** How many merchants there are, by their status. */
export async function countMerchants(
  db: Queryable,
): Promise<{ active: number; suspended: number }> {
  const { rows } = await db.query<{ active: number; suspended: number }>(
    `SELECT count(*) FILTER (WHERE status = 'active')::int AS active,
            count(*) FILTER (WHERE status = 'suspended')::int AS suspended FROM merchants`,
  );
  return rows[0] ?? { active: 0, suspended: 0 };
}
