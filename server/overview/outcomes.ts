import type pg from 'pg';
import { queryByIndexes } from '../db/index-plans.ts';
import { idBefore } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';
import type { Span } from '../register/types.ts';
import type { Outcomes } from './types.ts';

/** So many of the newest invoices tell why payments fail; a million would tell the same. */
export const OUTCOMES_OF = 5_000;

// Written so that the invoices are read in the order of an index with the merchant, not of the primary
// key: by that, all that others have made since would be read.
const OUTCOMES = `
  WITH sample AS MATERIALIZED (
    SELECT id, status, (extract(epoch from status_changed_at - created_at) * 1000)::float8 AS took_ms
    FROM invoices
    WHERE merchant_id = ANY (ARRAY[$1::text]) AND environment = $2::environment
      AND id >= $3::text AND id < $4::text
    ORDER BY merchant_id DESC, id DESC LIMIT ${OUTCOMES_OF}
  ), attempt AS MATERIALIZED (
    SELECT a.invoice_id, a.status, a.decline_reason, a.account_id, a.provider
    FROM sample s JOIN payment_attempts a ON a.invoice_id = s.id
  ), opened AS MATERIALIZED (
    SELECT s.id FROM sample s JOIN invoice_openings o ON o.invoice_id = s.id
  )
  SELECT 'step' AS part, 'created' AS name, count(*)::int AS count, NULL::int AS approved,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY took_ms) FILTER (WHERE status = 'PAID') AS median
  FROM sample
  UNION ALL
  -- Who tried to pay had the page open, also where its opening was not noticed.
  SELECT 'step', 'opened', count(*)::int, NULL, NULL
  FROM (SELECT id FROM opened UNION SELECT invoice_id FROM attempt) o
  UNION ALL SELECT 'step', 'tried', count(DISTINCT invoice_id)::int, NULL, NULL FROM attempt
  UNION ALL SELECT 'step', 'paid', count(*)::int, NULL, NULL FROM sample WHERE status = 'PAID'
  UNION ALL
  SELECT 'reason', coalesce(decline_reason, status::text), count(*)::int, NULL, NULL FROM attempt
  WHERE status IN ('declined', 'abandoned', 'failed') GROUP BY 2
  UNION ALL
  SELECT 'method', coalesce(c.name, a.provider), count(*)::int,
    count(*) FILTER (WHERE a.status = 'captured')::int, NULL
  FROM attempt a LEFT JOIN acquirer_accounts c ON c.id = a.account_id
  WHERE a.status IN ('captured', 'declined', 'abandoned', 'failed') GROUP BY a.account_id, 2`;

type Row = {
  part: 'step' | 'reason' | 'method';
  name: string;
  count: number;
  approved: number | null;
  median: number | null;
};

/**
 * What became of the invoices created in a span of time, by the newest 5,000: how far buyers came,
 * why attempts failed, and how many of each method's were approved.
 */
export async function readOutcomes(
  pool: pg.Pool,
  { merchantId, environment }: Tenant,
  { fromMs, untilMs }: Span,
): Promise<Outcomes> {
  const rows = await queryByIndexes<Row>(pool, {
    name: 'overview_outcomes',
    text: OUTCOMES,
    values: [merchantId, environment, idBefore('inv', fromMs), idBefore('inv', untilMs)],
  });
  const step = (name: string): Row | undefined =>
    rows.find((row) => row.part === 'step' && row.name === name);
  const most = (part: Row['part']): Row[] =>
    rows.filter((row) => row.part === part).sort((one, other) => other.count - one.count);
  const created = step('created');
  return {
    created: created?.count ?? 0,
    isSample: created?.count === OUTCOMES_OF,
    opened: step('opened')?.count ?? 0,
    tried: step('tried')?.count ?? 0,
    paid: step('paid')?.count ?? 0,
    medianMs: created?.median ?? null,
    reasons: most('reason').map(({ name, count }) => ({ reason: name, count })),
    methods: most('method').map(({ name, count, approved }) => ({
      name,
      ended: count,
      approved: approved ?? 0,
    })),
  };
}
