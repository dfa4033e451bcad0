import type { Queryable } from '../db/pool.ts';
import type { Locale } from '../lib/locales.ts';

/** Where a buyer wants to hear of a payment, and in which language. */
export type BuyerContact = { address: string; locale: Locale };

/**
 * Keeps the address that a buyer has given for an invoice that waits for its payment; null takes an
 * earlier one away. A later buyer with the link changes nothing.
 */
export async function keepContact(
  db: Queryable,
  invoiceId: string,
  contact: BuyerContact | null,
): Promise<void> {
  if (!contact) {
    await db.query({
      name: 'forget_buyer_contact',
      text: `DELETE FROM buyer_contacts b USING invoices i
             WHERE b.invoice_id = $1 AND i.id = b.invoice_id AND i.status = 'PENDING'`,
      values: [invoiceId],
    });
    return;
  }
  await db.query({
    name: 'keep_buyer_contact',
    text: `INSERT INTO buyer_contacts (invoice_id, address, locale)
           SELECT id, $2, $3 FROM invoices WHERE id = $1 AND status = 'PENDING'
           ON CONFLICT (invoice_id) DO UPDATE SET address = excluded.address, locale = excluded.locale`,
    values: [invoiceId, contact.address, contact.locale],
  });
}

/** The address that the buyer of an invoice has given, or null. */
export async function readContact(db: Queryable, invoiceId: string): Promise<BuyerContact | null> {
  const { rows } = await db.query<BuyerContact>({
    name: 'buyer_contact',
    text: 'SELECT address, locale FROM buyer_contacts WHERE invoice_id = $1',
    values: [invoiceId],
  });
  return rows[0] ?? null;
}
