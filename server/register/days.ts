import type { Queryable } from '../db/pool.ts';
import { CURRENCIES, type Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';

/** What was received and given back in a currency within one span of time. */
export type MoneyOfSpan = {
  currency: Currency;
  payments: number;
  grossMinor: bigint;
  /** Less what came back of it. */
  refundedMinor: bigint;
};

const SCOPE = 'merchant_id = $1::text AND environment = $2::environment';
const SPAN = (at: string): string => `${at} >= $4::timestamptz AND ${at} < $5::timestamptz`;

// The index by the time of payment has the amounts: a year of payments is read without its invoices.
const DAYS = `
  WITH payment AS (
    SELECT width_bucket(status_changed_at, $3::timestamptz[]) AS n, currency,
      count(*) AS payments, sum(amount_minor) AS gross
    FROM invoices
    WHERE ${SCOPE} AND status = 'PAID' AND currency = ANY ('{${CURRENCIES.join()}}'::currency[])
      AND ${SPAN('status_changed_at')}
    GROUP BY 1, 2
  ), refund AS (
    SELECT width_bucket(at, $3::timestamptz[]) AS n, currency, sum(amount_minor) AS refunded FROM (
      SELECT succeeded_at AS at, currency, amount_minor FROM refunds
      WHERE ${SCOPE} AND ${SPAN('succeeded_at')}
      UNION ALL
      SELECT returned_at, currency, -amount_minor FROM refunds
      WHERE ${SCOPE} AND ${SPAN('returned_at')}) moved
    GROUP BY 1, 2
  )
  SELECT n, currency, coalesce(payments, 0)::int AS payments, coalesce(gross, 0)::text AS gross,
    coalesce(refunded, 0)::text AS refunded
  FROM payment FULL JOIN refund USING (n, currency) ORDER BY n, currency`;

type Row = {
  n: number;
  currency: Currency;
  payments: number;
  gross: string;
  refunded: string;
};

/**
 * What came and went in each span, by the times of payments and refunds, as in the register.
 *
 * @param edgesMs the starts of the spans, ascending, and the end of the last: one more than spans
 */
export async function sumByPayment(
  db: Queryable,
  { merchantId, environment }: Tenant,
  edgesMs: readonly number[],
): Promise<MoneyOfSpan[][]> {
  const edges = edgesMs.map((ms) => new Date(ms).toISOString());
  const { rows } = await db.query<Row>({
    name: 'sums_by_payment',
    text: DAYS,
    values: [merchantId, environment, edges, edges[0], edges.at(-1)],
  });
  const spans = edges.slice(1).map((): MoneyOfSpan[] => []);
  for (const { n, currency, payments, gross, refunded } of rows) {
    spans[n - 1]?.push({
      currency,
      payments,
      grossMinor: BigInt(gross),
      refundedMinor: BigInt(refunded),
    });
  }
  return spans;
}
