import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import { PERMISSIONS } from '../staff/roles.ts';
import type { StaffSession } from './sessions.ts';

/** Where an invoice is. */
type InvoicePlace = {
  merchant: { id: string; name: string };
  environment: Environment;
  hasCallback: boolean;
};

// The merchant that an operator acts for ($4) is one that they may look at for so long. One that
// demands a second factor opens nothing to who has none.
const FIND = `
  SELECT json_build_object('id', m.id, 'name', m.name) AS merchant, i.environment,
         i.status <> 'PENDING' AS "hasCallback"
  FROM invoices i JOIN merchants m ON m.id = i.merchant_id JOIN users u ON u.id = $2::text
  WHERE i.id = $1::text AND (u.totp_enabled_at IS NOT NULL OR NOT m.require_totp)
    AND (m.id = $4::text OR EXISTS (
      SELECT FROM memberships b
      WHERE b.user_id = u.id AND b.merchant_id = m.id AND b.role::text = ANY ($3::text[])))`;

/**
 * In which environment of which of the person's own merchants an invoice is that they may look at;
 * null for any other, so that nobody learns whether there is one.
 */
export async function findOwnInvoice(
  db: Queryable,
  { user, merchant, impersonatingUntilMs }: StaffSession,
  invoiceId: string,
): Promise<InvoicePlace | null> {
  const impersonated = impersonatingUntilMs === null ? null : (merchant?.id ?? null);
  const { rows } = await db.query<InvoicePlace>({
    name: 'invoice_find_own',
    text: FIND,
    values: [invoiceId, user.id, PERMISSIONS['invoice.read'], impersonated],
  });
  return rows[0] ?? null;
}
