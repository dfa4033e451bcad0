import type { Queryable } from '../db/pool.ts';
import type { Currency } from '../lib/money.ts';
import type { AboutAttempt } from './provider.ts';
import { readStartRequest } from './start-request.ts';
import { HOLDING, OPEN, sqlList } from './state.ts';
import type { AttemptStatus, CardBrand, DeclineReason, PaymentAttempt } from './types.ts';

// The limit is far beyond a buyer's attempts; a script can go on while the invoice can be paid.
export const MAX_ATTEMPTS_READ = 200;

type AttemptRow = {
  id: string;
  invoice_id: string;
  status: AttemptStatus;
  provider: string;
  account_id: string | null;
  authorisation_id: string | null;
  start_request: string | null;
  transaction_id: string | null;
  receipt_url: string | null;
  fee_minor: string | null;
  amount_minor: string;
  currency: Currency;
  card_brand: CardBrand | null;
  card_last4: string | null;
  decline_reason: DeclineReason | null;
  challenge_url: string | null;
  created_at: Date;
  updated_at: Date;
};

const ATTEMPT_COLUMNS = `p.id, p.invoice_id, p.status, p.provider, p.account_id, p.authorisation_id,
  p.start_request, p.transaction_id, p.receipt_url, p.fee_minor::text, p.amount_minor::text, p.currency, p.card_brand, p.card_last4, p.decline_reason,
  p.challenge_url, p.created_at, p.updated_at`;

function toAttempt(row: AttemptRow): PaymentAttempt {
  return {
    id: row.id,
    invoiceId: row.invoice_id,
    status: row.status,
    provider: row.provider,
    accountId: row.account_id,
    authorisationId: row.authorisation_id,
    startRequest: row.start_request === null ? null : readStartRequest(row.start_request),
    transactionId: row.transaction_id,
    acquirerReceiptUrl: row.receipt_url,
    feeMinor: row.fee_minor === null ? null : BigInt(row.fee_minor),
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
    declineReason: row.decline_reason,
    challengeUrl: row.challenge_url,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

/** One attempt, or null. */
export async function findAttempt(
  db: Queryable,
  attemptId: string,
): Promise<PaymentAttempt | null> {
  const { rows } = await db.query<AttemptRow>({
    name: 'attempt_by_id',
    text: `SELECT ${ATTEMPT_COLUMNS} FROM payment_attempts p WHERE p.id = $1`,
    values: [attemptId],
  });
  return rows[0] ? toAttempt(rows[0]) : null;
}

/**
 * The attempt of an acquirer's call: the one that it names, the one with its reference, or else the
 * account's newest for the invoice; null where the account has none.
 */
export async function findAttemptAbout(
  db: Queryable,
  accountId: string,
  about: AboutAttempt,
): Promise<PaymentAttempt | null> {
  if ('attemptId' in about) {
    const attempt = await findAttempt(db, about.attemptId);
    return attempt?.accountId === accountId ? attempt : null;
  }
  const { rows } = await db.query<AttemptRow>({
    name: 'attempt_of_call',
    text: `SELECT ${ATTEMPT_COLUMNS} FROM payment_attempts p
           WHERE p.account_id = $1 AND p.invoice_id = $3
           ORDER BY p.authorisation_id IS NOT DISTINCT FROM $2 DESC, p.created_at DESC LIMIT 1`,
    values: [accountId, about.reference, about.invoiceId],
  });
  return rows[0] ? toAttempt(rows[0]) : null;
}

/** The id of another attempt that has this one's authorisation and may capture or void it, or null. */
export async function findHolder(
  db: Queryable,
  { id, provider }: Pick<PaymentAttempt, 'id' | 'provider'>,
  authorisationId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'attempt_that_holds',
    text: `SELECT id FROM payment_attempts
           WHERE provider = $2 AND authorisation_id = $3 AND id <> $1
             AND status IN ${sqlList(HOLDING)}`,
    values: [id, provider, authorisationId],
  });
  return rows[0]?.id ?? null;
}

/**
 * The newest attempts of an invoice, newest first. They include the one at work or captured: no
 * other begins while it is at work, and none once the invoice is paid.
 */
export async function listAttempts(db: Queryable, invoiceId: string): Promise<PaymentAttempt[]> {
  const { rows } = await db.query<AttemptRow>({
    name: 'attempts_of_invoice',
    text: `SELECT ${ATTEMPT_COLUMNS} FROM payment_attempts p
           WHERE p.invoice_id = $1 ORDER BY p.created_at DESC, p.id DESC LIMIT ${MAX_ATTEMPTS_READ}`,
    values: [invoiceId],
  });
  return rows.map(toAttempt);
}

/** How many attempts an invoice has in all. */
export async function countAttempts(db: Queryable, invoiceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'attempts_count',
    text: 'SELECT count(*)::int AS count FROM payment_attempts WHERE invoice_id = $1',
    values: [invoiceId],
  });
  return rows[0]?.count ?? 0;
}

/** The earliest time at which a payment attempt became due for recovery; null when none is due. */
export async function recoveriesWaitingSince(
  db: Queryable,
  { now }: { now: Date },
): Promise<Date | null> {
  const { rows } = await db.query<{ since: Date | null }>({
    name: 'recovery_waiting',
    text: 'SELECT min(recover_at) AS since FROM payment_attempts WHERE recover_at <= $1',
    values: [now.toISOString()],
  });
  return rows[0]?.since ?? null;
}

/** Whether a payment or refund of an account is under way: its acquirer is then still answered. */
export async function isUnderWay(db: Queryable, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'account_under_way',
    text: `SELECT FROM payment_attempts
           WHERE account_id = $1 AND status IN ${sqlList(OPEN)}
           UNION ALL
           SELECT FROM refunds WHERE account_id = $1 AND status = 'PENDING' LIMIT 1`,
    values: [accountId],
  });
  return rowCount === 1;
}
