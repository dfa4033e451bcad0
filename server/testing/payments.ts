import type { Queryable } from '../db/pool.ts';
import type { Card } from '../payments/types.ts';

/** A card with this number and nothing else of interest. */
export function cardWith(number: string): Card {
  return {
    number,
    expiryMonth: 12,
    expiryYear: 2030,
    securityCode: '123',
    holderName: 'Ada Lovelace',
  };
}

/** What the acquirer's books say of an invoice, in order. */
export async function ledgerOf(db: Queryable, invoiceId: string): Promise<string[]> {
  const { rows } = await db.query<{ kind: string }>(
    `SELECT e.kind::text FROM sandbox_ledger_entries e
     JOIN sandbox_authorisations a ON a.id = e.authorisation_id
     JOIN payment_attempts p ON p.id = a.idempotency_key
     WHERE p.invoice_id = $1 ORDER BY e.id`,
    [invoiceId],
  );
  return rows.map(({ kind }) => kind);
}

/**
 * Holds ledger and invoices against each other: a PAID invoice has exactly one
 * capture, of its amount; every other invoice has none.
 * @returns the ids for which they disagree
 */
export async function booksDisagree(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT i.id FROM invoices i
     LEFT JOIN LATERAL (
       SELECT count(*) AS captures, coalesce(sum(e.amount_minor), 0) AS amount
       FROM payment_attempts p
       JOIN sandbox_authorisations a ON a.idempotency_key = p.id
       JOIN sandbox_ledger_entries e ON e.authorisation_id = a.id AND e.kind = 'capture'
       WHERE p.invoice_id = i.id
     ) ledger ON true
     WHERE (i.status = 'PAID') <> (ledger.captures = 1 AND ledger.amount = i.amount_minor)
        OR ledger.captures > 1
     ORDER BY i.id`,
  );
  return rows.map(({ id }) => id);
}
