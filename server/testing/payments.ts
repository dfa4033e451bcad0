import type { Queryable } from '../db/pool.ts';
import type { AttemptStatus, Card } from '../payments/types.ts';

/** An acquirer needs it beside the amount and the card; no buyer is sent there. */
export const RETURN_URL = 'http://localhost:3000/pay/inv_test/return';

/** A card with this number and arbitrary other values. */
export function cardWith(number: string): Card {
  return {
    number,
    expiryMonth: 12,
    expiryYear: 2030,
    securityCode: '123',
    holderName: 'Ada Lovelace',
  };
}

/** Inserts an attempt that is due for recovery; returns its id. */
export async function insertAttempt(
  db: Queryable,
  attempt: { invoiceId: string; status: AttemptStatus; updatedAt: Date; recoverAt: Date | null },
): Promise<string> {
  const id = `pay_${attempt.invoiceId}`;
  await db.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at, recover_at)
     VALUES ($1, $2, $3, 'sandbox', 1500, 'USD', 'visa', '4242', $4, $4, $5)`,
    [id, attempt.invoiceId, attempt.status, attempt.updatedAt, attempt.recoverAt],
  );
  return id;
}

/**
 * Inserts an attempt at a merchant's account; returns its id.
 *
 * @param attempt.held the acquirer's own id where it calls us and has reserved the invoice
 */
export async function insertAccountAttempt(
  db: Queryable,
  attempt: {
    invoiceId: string;
    account: { id: string; provider: string };
    status: AttemptStatus;
    createdAt: Date;
    recoverAt: Date | null;
    authorisationId?: string;
    held?: { acquirerId: string; paymentNumber: string | null };
  },
): Promise<string> {
  const { invoiceId, account, status, createdAt, recoverAt, authorisationId, held } = attempt;
  const id = `pay_${invoiceId}`;
  await db.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, account_id, authorisation_id,
       amount_minor, currency, created_at, updated_at, recover_at)
     SELECT $1, id, $3, $4, $5, $6, amount_minor, currency, $7, $7, $8 FROM invoices WHERE id = $2`,
    [
      id,
      invoiceId,
      status,
      account.provider,
      account.id,
      held?.acquirerId ?? authorisationId ?? null,
      createdAt,
      recoverAt,
    ],
  );
  if (held) {
    await db.query(
      `INSERT INTO acquirer_transactions (attempt_id, account_id, acquirer_id, invoice_id,
         amount_minor, state, acquirer_at_ms, created_at_ms, payment_number)
       SELECT $1, $3, $4, id, amount_minor, 'created', $5, $5, $6 FROM invoices WHERE id = $2`,
      [id, invoiceId, account.id, held.acquirerId, createdAt.getTime(), held.paymentNumber],
    );
  }
  return id;
}

/** An invoice's entries in the acquirer's books, in order. */
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
 * Compares the sandbox's ledger and invoices: an invoice that it paid has exactly one capture, of its
 * amount and by the attempt that it names; every other invoice has none. No authorisation stays open without a
 * recovery to come.
 * @returns the ids for which they disagree
 */
export async function booksDisagree(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT i.id FROM invoices i
     LEFT JOIN LATERAL (
       SELECT count(*) FILTER (WHERE e.kind = 'capture') AS captures,
              count(*) FILTER (WHERE e.kind = 'capture' AND p.id = i.capture_attempt_id
                AND e.amount_minor = i.amount_minor AND e.currency = i.currency) AS right_captures,
              count(*) FILTER (WHERE e.kind = 'authorisation' AND p.recover_at IS NULL
                AND NOT EXISTS (
                  SELECT FROM sandbox_ledger_entries c
                  WHERE c.authorisation_id = a.id AND c.kind IN ('capture', 'void'))) AS left_open
       FROM payment_attempts p
       JOIN sandbox_authorisations a ON a.idempotency_key = p.id
       JOIN sandbox_ledger_entries e ON e.authorisation_id = a.id
       WHERE p.invoice_id = i.id
     ) ledger ON true
     WHERE ledger.captures <> CASE WHEN i.status = 'PAID' AND NOT EXISTS (
         SELECT FROM payment_attempts p
         WHERE p.id = i.capture_attempt_id AND p.provider <> 'sandbox') THEN 1 ELSE 0 END
        OR ledger.right_captures <> ledger.captures
        OR ledger.left_open > 0
     ORDER BY i.id`,
  );
  return rows.map(({ id }) => id);
}
