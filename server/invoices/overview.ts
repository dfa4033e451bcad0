import type { Queryable } from '../db/pool.ts';
import { idBefore } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';

/** What became of the invoices that were created in one span of time. */
export type OverviewSpan = {
  created: number;
  paid: number;
  /** By currency, never summed over them. */
  volumes: { currency: Currency; paid: number; amountMinor: bigint }[];
};

/** So many of the newest paid ones tell how long paying takes. */
const MEDIAN_OF = 5_000;

const SPANS = 'unnest($3::text[], $4::text[]) WITH ORDINALITY AS s (from_id, until_id, n)';
const WITHIN = `merchant_id = $1::text AND environment = $2::environment
  AND id >= s.from_id AND id < s.until_id`;

// Ids begin with the time: each span is one piece of an index that holds all that is asked.
const CREATED = `
  SELECT s.n::int, c.created FROM ${SPANS}
  CROSS JOIN LATERAL (SELECT count(*)::int AS created FROM invoices WHERE ${WITHIN}) c`;

const PAID = `
  SELECT s.n::int, p.currency, p.paid, p.volume FROM ${SPANS}
  CROSS JOIN LATERAL (
    SELECT currency, count(*)::int AS paid, sum(amount_minor)::text AS volume
    FROM invoices WHERE ${WITHIN} AND status = 'PAID' GROUP BY currency) p
  ORDER BY s.n, p.currency`;

const MEDIAN = `
  SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took_ms) AS median_ms FROM (
    SELECT (extract(epoch from status_changed_at - created_at) * 1000)::float8 AS took_ms
    FROM invoices WHERE merchant_id = $1::text AND environment = $2::environment
      AND status = 'PAID' AND id >= $3::text AND id < $4::text
    ORDER BY id DESC LIMIT ${MEDIAN_OF}) newest`;

/**
 * Counts and sums of the tenant's invoices by the time of their creation.
 *
 * @param edgesMs where the spans begin, ascending, and the end of the last: one more than spans
 */
export async function readSpans(
  db: Queryable,
  tenant: Tenant,
  edgesMs: readonly number[],
): Promise<OverviewSpan[]> {
  const ids = edgesMs.map((edgeMs) => idBefore('inv', edgeMs));
  const values = [tenant.merchantId, tenant.environment, ids.slice(0, -1), ids.slice(1)];
  const [created, paid] = await Promise.all([
    db.query<{ n: number; created: number }>({ name: 'overview_created', text: CREATED, values }),
    db.query<{ n: number; currency: Currency; paid: number; volume: string }>({
      name: 'overview_paid',
      text: PAID,
      values,
    }),
  ]);
  const spans: OverviewSpan[] = ids.slice(1).map(() => ({ created: 0, paid: 0, volumes: [] }));
  for (const { n, created: count } of created.rows) {
    const span = spans[n - 1];
    if (span) span.created = count;
  }
  for (const { n, currency, paid: count, volume } of paid.rows) {
    const span = spans[n - 1];
    if (!span) continue;
    span.paid += count;
    span.volumes.push({ currency, paid: count, amountMinor: BigInt(volume) });
  }
  return spans;
}

/** How long it took to pay, in the middle, of the newest 5,000 paid ones; null when none is. */
export async function medianTimeToPay(
  db: Queryable,
  tenant: Tenant,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<number | null> {
  const { rows } = await db.query<{ median_ms: number | null }>({
    name: 'overview_median',
    text: MEDIAN,
    values: [
      tenant.merchantId,
      tenant.environment,
      idBefore('inv', fromMs),
      idBefore('inv', untilMs),
    ],
  });
  return rows[0]?.median_ms ?? null;
}
