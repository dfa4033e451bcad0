import type { Queryable } from '../db/pool.ts';

/** A merchant as in the operator's lists. Times in milliseconds. */
export type MerchantSummary = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  ownerEmails: string[];
  createdAtMs: number;
  suspendedAtMs: number | null;
};

/** A summary's source row. */
export type MerchantRow = {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  owner_emails: string[];
  created_at: Date;
  suspended_at: Date | null;
};

const SUMMARY = `
  SELECT m.id, m.name, m.status, m.created_at, m.suspended_at,
         array(SELECT u.email FROM memberships s JOIN users u ON u.id = s.user_id
               WHERE s.merchant_id = m.id AND s.role = 'owner' ORDER BY u.email) AS owner_emails
  FROM merchants m`;

/** Converts a merchant's row for lists. */
export function toSummary(row: MerchantRow): MerchantSummary {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    ownerEmails: row.owner_emails,
    createdAtMs: row.created_at.getTime(),
    suspendedAtMs: row.suspended_at?.getTime() ?? null,
  };
}

/** All merchants, oldest first: for the operator only. */
export async function listMerchants(db: Queryable): Promise<MerchantSummary[]> {
  const { rows } = await db.query<MerchantRow>(`${SUMMARY} ORDER BY m.created_at, m.id`);
  return rows.map(toSummary);
}

/** One merchant, or null when there is none: for the operator only. */
export async function readMerchant(
  db: Queryable,
  merchantId: string,
): Promise<MerchantSummary | null> {
  const { rows } = await db.query<MerchantRow>(`${SUMMARY} WHERE m.id = $1`, [merchantId]);
  return rows[0] ? toSummary(rows[0]) : null;
}
