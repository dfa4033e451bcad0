import type { Queryable } from '../../db/pool.ts';
import { idBefore } from '../../lib/ids.ts';
import type { Currency } from '../../lib/money.ts';
import type { Tenant } from '../../merchants/types.ts';
import { HOUR_MS, QUARTER_MS } from './hours.ts';

/** The outcomes of the invoices created in one span of time. */
export type OverviewSpan = {
  created: number;
  paid: number;
  /** By currency, never summed over them. */
  volumes: { currency: Currency; paid: number; amountMinor: bigint }[];
};

// Each span has whole summed hours, quarters of hours before and after them, and a rest that is
// counted directly: ids begin with the time, so that it is one piece of an index with all the
// columns. Only a single statement counts every invoice once. Late payments are looked up among the
// unsummed: many of these may be pending, few are paid and not yet added. $3 and $4 the spans, as
// ids; $5 and $6 their quarters, as ids; $7 to $10 the start of the quarters, the start and end of
// the hours, and the end of the quarters.
const IN_PIECE = `merchant_id = $1::text AND environment = $2::environment
  AND id >= p.from_id AND id < p.until_id`;

const SPANS = `
  WITH progress AS MATERIALIZED (
    SELECT coalesce(max(summed_until_id), '') AS summed_until_id FROM invoice_sums_progress
  ), span AS MATERIALIZED (
    SELECT s.*, greatest(s.first_id, least(s.end_id, p.summed_until_id)) AS summed_id
    FROM progress p, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
      $8::timestamptz[], $9::timestamptz[], $10::timestamptz[]) WITH ORDINALITY
      AS s (from_id, until_id, first_id, end_id, first_quarter, first_hour, end_hour, end_quarter, n)
  ), late AS MATERIALIZED (
    SELECT id, currency, amount_minor FROM invoices
    WHERE status = 'PAID' AND id = ANY (ARRAY(
      SELECT invoice_id FROM unsummed_invoices
      WHERE merchant_id = $1::text AND environment = $2::environment
        AND invoice_id = ANY (ARRAY(
          SELECT invoice_id FROM late_payments
          WHERE merchant_id = $1::text AND environment = $2::environment
            AND invoice_id >= (SELECT min(first_id) FROM span)
            AND invoice_id < (SELECT max(summed_id) FROM span)))))
  ), piece AS MATERIALIZED (
    SELECT n, from_id, first_id AS until_id FROM span WHERE from_id < first_id
    UNION ALL SELECT n, summed_id, until_id FROM span WHERE summed_id < until_id
  ), part AS (
    SELECT s.n, h.currency, h.created, h.paid, h.paid_minor FROM span s
    CROSS JOIN LATERAL (
      SELECT currency, created, paid, paid_minor FROM invoice_hour_sums
      WHERE merchant_id = $1::text AND environment = $2::environment
        AND hour >= s.first_hour AND hour < s.end_hour) h
    UNION ALL
    SELECT s.n, q.currency, q.created, q.paid, q.paid_minor FROM (
      SELECT n, first_quarter AS from_time, first_hour AS until_time FROM span
      UNION ALL SELECT n, end_hour, end_quarter FROM span) s
    CROSS JOIN LATERAL (
      SELECT currency, created, paid, paid_minor FROM invoice_quarter_sums
      WHERE merchant_id = $1::text AND environment = $2::environment
        AND quarter >= s.from_time AND quarter < s.until_time) q
    UNION ALL
    SELECT s.n, l.currency, 0, 1, l.amount_minor FROM late l
    JOIN span s ON s.n = width_bucket(l.id, $3::text[]) AND l.id >= s.first_id AND l.id < s.summed_id
    UNION ALL
    SELECT p.n, NULL, c.created, 0, 0 FROM piece p
    CROSS JOIN LATERAL (
      SELECT count(*) AS created FROM invoices WHERE ${IN_PIECE}) c
    UNION ALL
    SELECT p.n, c.currency, 0, c.paid, c.paid_minor FROM piece p
    CROSS JOIN LATERAL (
      SELECT currency, count(*) AS paid, sum(amount_minor) AS paid_minor
      FROM invoices WHERE ${IN_PIECE} AND status = 'PAID' GROUP BY currency) c
  )
  SELECT n::int, currency, sum(created)::int AS created, sum(paid)::int AS paid,
         sum(paid_minor)::text AS volume
  FROM part GROUP BY n, currency ORDER BY n, currency`;

type SpanRow = {
  n: number;
  currency: Currency | null;
  created: number;
  paid: number;
  volume: string;
};

/** The whole clock steps of a span; if there are none, nothing at its end. */
function wholeSteps(stepMs: number, [fromMs, untilMs]: [number, number]): [number, number] {
  const firstMs = Math.min(Math.ceil(fromMs / stepMs) * stepMs, untilMs);
  return [firstMs, Math.max(Math.floor(untilMs / stepMs) * stepMs, firstMs)];
}

/**
 * Counts and sums of the tenant's invoices by their time of creation, in their present state: one
 * paid days later counts where it was created.
 *
 * @param edgesMs the starts of the spans, ascending, and the end of the last: one more than spans
 */
export async function readSpans(
  db: Queryable,
  tenant: Tenant,
  edgesMs: readonly number[],
): Promise<OverviewSpan[]> {
  const spans = edgesMs
    .slice(1)
    .map((untilMs, index): [number, number] => [edgesMs[index] ?? untilMs, untilMs]);
  const quarters = spans.map((span) => wholeSteps(QUARTER_MS, span));
  const hours = quarters.map((span) => wholeSteps(HOUR_MS, span));
  const ids = (edges: [number, number][], which: 0 | 1): string[] =>
    edges.map((edge) => idBefore('inv', edge[which]));
  const times = (edges: [number, number][], which: 0 | 1): string[] =>
    edges.map((edge) => new Date(edge[which]).toISOString());
  const { rows } = await db.query<SpanRow>({
    name: 'overview_spans',
    text: SPANS,
    values: [
      tenant.merchantId,
      tenant.environment,
      ids(spans, 0),
      ids(spans, 1),
      ids(quarters, 0),
      ids(quarters, 1),
      times(quarters, 0),
      times(hours, 0),
      times(hours, 1),
      times(quarters, 1),
    ],
  });
  const summed: OverviewSpan[] = spans.map(() => ({ created: 0, paid: 0, volumes: [] }));
  for (const { n, currency, created, paid, volume } of rows) {
    const span = summed[n - 1];
    if (!span) continue;
    span.created += created;
    if (currency === null || paid === 0) continue;
    span.paid += paid;
    span.volumes.push({ currency, paid, amountMinor: BigInt(volume) });
  }
  return summed;
}
