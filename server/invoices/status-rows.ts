import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { epochMs } from './columns.ts';
import type { InvoiceReference, InvoiceStatus } from './types.ts';

export type StatusRow = {
  id: string;
  status: InvoiceStatus;
  end_date_ms: number;
  capturing: boolean;
};

const FIELDS = `i.id, i.status, ${epochMs('i.end_date')} AS end_date_ms,
    i.capture_attempt_id IS NOT NULL AS capturing`;

const ONE = `SELECT ${FIELDS} FROM invoices i
  WHERE i.merchant_id = $1::text AND i.environment = $2::environment`;

type By = 'id' | 'merchant_transaction_id';

// LIMIT makes each reference a separate look-up by the index: a join could become a scan of the
// whole table, by a plan made while the table was small.
const manyOf = (by: By): string => `
  SELECT a.position::int, i.* FROM unnest($1::text[], $2::environment[], $3::text[])
    WITH ORDINALITY AS a (merchant_id, environment, reference, position)
  CROSS JOIN LATERAL (
    SELECT ${FIELDS} FROM invoices i
    WHERE i.merchant_id = a.merchant_id AND i.environment = a.environment AND i.${by} = a.reference
    LIMIT 1) i`;

const MANY: Record<By, string> = {
  id: manyOf('id'),
  merchant_transaction_id: manyOf('merchant_transaction_id'),
};

/** One row of the tenant, or null; changes nothing. */
export async function findStatusRow(
  db: Queryable,
  tenant: Tenant,
  reference: InvoiceReference,
): Promise<StatusRow | null> {
  const byId = 'invoiceId' in reference;
  const { rows } = await db.query<StatusRow>({
    name: byId ? 'status_by_id' : 'status_by_transaction',
    text: `${ONE} AND ${byId ? 'i.id' : 'i.merchant_transaction_id'} = $3::text`,
    values: [tenant.merchantId, tenant.environment, nameOf(reference)],
  });
  return rows[0] ?? null;
}

/** A reference and its tenant: every row of a batch carries its own. */
export type StatusQuestion = { tenant: Tenant; reference: InvoiceReference };

/** The id in a reference of either kind. */
export function nameOf(reference: InvoiceReference): string {
  return 'invoiceId' in reference ? reference.invoiceId : reference.merchantTransactionId;
}

/**
 * `findStatusRow` for several tenants in one statement.
 *
 * @param questions all by the same kind of reference, `by`
 * @returns each question's row or null, in their order
 */
export async function findStatusRows(
  db: Queryable,
  by: By,
  questions: readonly StatusQuestion[],
): Promise<(StatusRow | null)[]> {
  const { rows } = await db.query<StatusRow & { position: number }>({
    name: `statuses_by_${by}`,
    text: MANY[by],
    values: [
      questions.map(({ tenant }) => tenant.merchantId),
      questions.map(({ tenant }) => tenant.environment),
      questions.map(({ reference }) => nameOf(reference)),
    ],
  });
  const answers: (StatusRow | null)[] = questions.map(() => null);
  for (const row of rows) answers[row.position - 1] = row;
  return answers;
}
