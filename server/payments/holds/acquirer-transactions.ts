import type { Queryable } from '../../db/pool.ts';

/**
 * created:   the acquirer has begun, and may have reserved the buyer's money
 * performed: the money moved, the invoice is PAID
 * canceled:  given up before the money moved
 * reversed:  given back afterwards
 */
export type TransactionState = 'created' | 'performed' | 'canceled' | 'reversed';

/** A transaction of an acquirer that calls us; repeated calls are answered from it. */
export type AcquirerTransaction = {
  attemptId: string;
  accountId: string;
  /** The acquirer's own id, as the text that it sent. */
  acquirerId: string;
  /** Our id for a protocol that wants a whole number: at most 2^31 - 1. */
  number: number;
  invoiceId: string;
  amountMinor: bigint;
  state: TransactionState;
  /** The acquirer's time of creation, by its own clock. */
  acquirerAtMs: number;
  createdAtMs: number;
  performedAtMs: number | null;
  canceledAtMs: number | null;
  /** The reason of the cancellation, in the acquirer's own numbers. */
  reason: number | null;
  /** The acquirer's number of the payment, where it differs from its id. */
  paymentNumber: string | null;
  /** Further data from the acquirer, as a JSON object. */
  details: string;
};

type Row = {
  attempt_id: string;
  account_id: string;
  acquirer_id: string;
  number: number;
  invoice_id: string;
  amount_minor: string;
  state: TransactionState;
  acquirer_at_ms: string;
  created_at_ms: string;
  performed_at_ms: string | null;
  canceled_at_ms: string | null;
  reason: number | null;
  payment_number: string | null;
  details: string;
};

export const TRANSACTION_COLUMNS = `t.attempt_id, t.account_id, t.acquirer_id, t.number, t.invoice_id,
  t.amount_minor::text, t.state, t.acquirer_at_ms::text, t.created_at_ms::text,
  t.performed_at_ms::text, t.canceled_at_ms::text, t.reason, t.payment_number, t.details`;

const toNumber = (text: string | null): number | null => (text === null ? null : Number(text));

/** A row of `TRANSACTION_COLUMNS`. */
export function toTransaction(row: Row): AcquirerTransaction {
  return {
    attemptId: row.attempt_id,
    accountId: row.account_id,
    acquirerId: row.acquirer_id,
    number: row.number,
    invoiceId: row.invoice_id,
    amountMinor: BigInt(row.amount_minor),
    state: row.state,
    acquirerAtMs: Number(row.acquirer_at_ms),
    createdAtMs: Number(row.created_at_ms),
    performedAtMs: toNumber(row.performed_at_ms),
    canceledAtMs: toNumber(row.canceled_at_ms),
    reason: row.reason,
    paymentNumber: row.payment_number,
    details: row.details,
  };
}

async function findBy(
  db: Queryable,
  where: { name: string; condition: string; values: unknown[] },
): Promise<AcquirerTransaction | null> {
  const { rows } = await db.query<Row>({
    name: where.name,
    text: `SELECT ${TRANSACTION_COLUMNS} FROM acquirer_transactions t WHERE ${where.condition}`,
    values: where.values,
  });
  return rows[0] ? toTransaction(rows[0]) : null;
}

/** A transaction by the acquirer's id, which is unique in an account; or null. */
export function findTransaction(
  db: Queryable,
  accountId: string,
  acquirerId: string,
): Promise<AcquirerTransaction | null> {
  const condition = 't.account_id = $1 AND t.acquirer_id = $2';
  const values = [accountId, acquirerId];
  return findBy(db, { name: 'transaction_of_acquirer', condition, values });
}

/** The transaction of an attempt, or null. */
export function findTransactionOfAttempt(
  db: Queryable,
  attemptId: string,
): Promise<AcquirerTransaction | null> {
  return findBy(db, {
    name: 'transaction_of_attempt',
    condition: 't.attempt_id = $1',
    values: [attemptId],
  });
}

/**
 * The tax service's page of the fiscal receipt of an attempt, where the acquirer has told one (Payme's
 * SetFiscalData); null otherwise.
 */
export async function findFiscalUrl(db: Queryable, attemptId: string): Promise<string | null> {
  const transaction = await findTransactionOfAttempt(db, attemptId);
  const { fiscal_perform: told } = JSON.parse(transaction?.details ?? '{}');
  const url: unknown = told?.qr_code_url;
  return typeof url === 'string' && /^https:\/\//.test(url) && URL.canParse(url) ? url : null;
}

/** All of an invoice's transactions, in any state. */
export async function listTransactionsOfInvoice(
  db: Queryable,
  invoiceId: string,
): Promise<AcquirerTransaction[]> {
  const { rows } = await db.query<Row>({
    name: 'transactions_of_invoice',
    // The attempts lead the search: they have an index by invoice.
    text: `SELECT ${TRANSACTION_COLUMNS} FROM acquirer_transactions t
           WHERE t.attempt_id IN (SELECT p.id FROM payment_attempts p WHERE p.invoice_id = $1)`,
    values: [invoiceId],
  });
  return rows.map(toTransaction);
}

/**
 * An account's transactions by the acquirer's own time, both bounds included, the earliest first.
 *
 * @param fromMs, toMs in milliseconds since 1970
 */
export async function listTransactions(
  db: Queryable,
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<AcquirerTransaction[]> {
  const { rows } = await db.query<Row>({
    name: 'transactions_of_account',
    text: `SELECT ${TRANSACTION_COLUMNS} FROM acquirer_transactions t
           WHERE t.account_id = $1 AND t.acquirer_at_ms BETWEEN $2 AND $3
           ORDER BY t.acquirer_at_ms, t.number`,
    values: [accountId, fromMs, toMs],
  });
  return rows.map(toTransaction);
}

/** Stores further data of a transaction under `key`, beside the existing data. */
export async function addDetail(
  db: Queryable,
  attemptId: string,
  key: string,
  value: unknown,
): Promise<void> {
  await db.query(
    `UPDATE acquirer_transactions
     SET details = (details::jsonb || jsonb_build_object($2::text, $3::jsonb))::text
     WHERE attempt_id = $1`,
    [attemptId, key, JSON.stringify(value)],
  );
}

/** The number of invoices that each acquirer has reserved and not yet paid. */
export async function countHolds(db: Queryable): Promise<{ provider: string; count: number }[]> {
  const { rows } = await db.query<{ provider: string; count: number }>({
    name: 'open_holds',
    text: `SELECT provider, count(*)::int AS count FROM payment_attempts
           WHERE account_id IS NOT NULL AND status = 'capturing' GROUP BY provider`,
  });
  return rows;
}
