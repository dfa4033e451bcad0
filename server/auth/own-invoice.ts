import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import { PERMISSIONS } from '../staff/roles.ts';
import type { StaffSession } from './sessions.ts';

/** An invoice's place. */
type InvoicePlace = {
  merchant: { id: string; name: string };
  environment: Environment;
  hasCallback: boolean;
};

// The merchant that an operator acts for ($4) counts as theirs meanwhile. A merchant that requires
// a second factor is closed to a person without one.
const FIND = `
  SELECT json_build_object('id', m.id, 'name', m.name) AS merchant, i.environment,
         i.status <> 'PENDING' AS "hasCallback"
  FROM invoices i JOIN merchants m ON m.id = i.merchant_id JOIN users u ON u.id = $2::text
  WHERE i.id = $1::text AND (u.totp_enabled_at IS NOT NULL OR NOT m.require_totp)
    AND (m.id = $4::text OR EXISTS (
      SELECT FROM memberships b
      WHERE b.user_id = u.id AND b.merchant_id = m.id AND b.role::text = ANY ($3::text[])))`;

/**
 * Which of the person's own merchants, and which environment, has an invoice that they may view;
 * null for any other, so that nobody learns whether it exists.
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
