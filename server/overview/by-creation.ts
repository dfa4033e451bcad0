import type { Queryable } from '../db/pool.ts';
import { readSpans } from '../invoices/lists/overview.ts';
import type { Tenant } from '../merchants/types.ts';
import { sumRefunds } from '../refunds/data.ts';
import type { MoneyOfSpan } from '../register/days.ts';

/**
 * What was paid and given back of the invoices that were created in each span.
 *
 * @param edgesMs the starts of the spans, ascending, and the end of the last
 */
export async function sumByCreation(
  db: Queryable,
  tenant: Tenant,
  edgesMs: readonly number[],
): Promise<MoneyOfSpan[][]> {
  // One after the other: both at once would take connections that the API waits for.
  const spans = await readSpans(db, tenant, edgesMs);
  const refunded = await sumRefunds(db, tenant, edgesMs);
  return spans.map(({ volumes }, index) =>
    volumes.map(({ currency, paid, amountMinor }) => ({
      currency,
      payments: paid,
      grossMinor: amountMinor,
      refundedMinor: refunded[index]?.get(currency) ?? 0n,
    })),
  );
}
