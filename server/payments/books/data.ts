import type { Queryable } from '../../db/pool.ts';
import type { Currency } from '../../lib/money.ts';
import type { AttemptKey, BookLine } from '../provider.ts';
import { readStartRequest } from '../start-request.ts';
import { OPEN, sqlList } from '../state.ts';
import type { Fee, Found, OurLine } from './compare.ts';

/** Which of our lines are read, and which of them are still at work. */
export type BookScope = {
  accountId: string;
  /** UTC ms; `toMs` exclusive. */
  fromMs: number;
  toMs: number;
  /** What changed since then is compared another time, UTC ms. */
  settledMs: number;
  /** How long the acquirer's page accepts a payment. */
  pageLifeMs: number;
};

type Row = {
  kind: BookLine['kind'];
  id: string;
  acquirer_id: string | null;
  invoice_id: string;
  amount_minor: string;
  currency: Currency;
  status: OurLine['status'];
  refunded_minor: string;
  fee_minor: string | null;
  created_at: Date;
  is_moving: boolean;
};

const toLine = (row: Row): OurLine => ({
  kind: row.kind,
  id: row.id,
  acquirerId: row.acquirer_id,
  invoiceId: row.invoice_id,
  amountMinor: BigInt(row.amount_minor),
  currency: row.currency,
  status: row.status,
  refundedMinor: BigInt(row.refunded_minor),
  feeMinor: row.fee_minor === null ? null : BigInt(row.fee_minor),
  createdAtMs: row.created_at.getTime(),
  isMoving: row.is_moving,
});

// $1 is the account, $2 the time since which a change is too fresh, $3 how long a page may live.
const PAYMENTS = `
  SELECT 'payment' AS kind, p.id, p.transaction_id AS acquirer_id, p.invoice_id,
         p.amount_minor::text, p.currency, p.status::text, p.fee_minor::text, p.created_at,
         (SELECT coalesce(sum(r.amount_minor), 0) FROM refunds r
          WHERE r.attempt_id = p.id AND r.status <> 'FAILED')::text AS refunded_minor,
         p.updated_at >= $2 OR (p.status IN ${sqlList(OPEN)}
           AND p.created_at >= $2::timestamptz - $3::bigint * interval '1 millisecond') AS is_moving
  FROM payment_attempts p WHERE p.account_id = $1`;
const REFUNDS = `
  SELECT 'refund' AS kind, r.id, r.reference AS acquirer_id, r.invoice_id,
         r.amount_minor::text, r.currency, r.status::text, NULL AS fee_minor, r.created_at,
         '0' AS refunded_minor, r.updated_at >= $2 AND $3::bigint >= 0 AS is_moving
  FROM refunds r WHERE r.account_id = $1`;

const scopeValues = ({ accountId, settledMs, pageLifeMs }: BookScope) => [
  accountId,
  new Date(settledMs).toISOString(),
  pageLifeMs,
];

/** Our lines of the acquirer's, by our ids that it keeps and by its own. */
export async function findOurs(
  db: Queryable,
  scope: BookScope,
  lines: readonly BookLine[],
): Promise<Found> {
  const ofKind = (kind: BookLine['kind']) => lines.filter((each) => each.kind === kind);
  const read = async (text: string, own: readonly BookLine[], theirs: string) => {
    if (own.length === 0) return [];
    const ids = own.flatMap(({ ourId }) => (ourId === null ? [] : [ourId]));
    const { rows } = await db.query<Row>(
      `${text} AND id = ANY ($4) UNION ${text} AND ${theirs} = ANY ($5)`,
      [...scopeValues(scope), ids, own.map(({ id }) => id)],
    );
    return rows.map(toLine);
  };
  const payments = await read(PAYMENTS, ofKind('payment'), 'transaction_id');
  const refunds = await read(REFUNDS, ofKind('refund'), 'reference');
  const { rows } = await db.query<{ transaction_id: string; invoice_id: string }>(
    `SELECT transaction_id, invoice_id FROM payment_attempts
     WHERE account_id = $1 AND transaction_id = ANY ($2)`,
    [scope.accountId, [...new Set(lines.map(({ paymentId }) => paymentId))]],
  );
  const invoices = new Map(rows.map((row) => [row.transaction_id, row.invoice_id]));
  return { ours: [...payments, ...refunds], invoices };
}

const PAGE = 1_000;

/** Reads rows of the span page by page, the oldest first. */
async function* pages<T extends { created_at: Date; id: string }>(
  db: Queryable,
  text: string,
  { values, fromMs, toMs }: { values: unknown[]; fromMs: number; toMs: number },
): AsyncIterable<T[]> {
  let [afterMs, afterId] = [fromMs, ''];
  const at = values.length;
  for (;;) {
    const { rows } = await db.query<T>(
      `SELECT * FROM (${text}) own
       WHERE (created_at, id) > ($${at + 1}::timestamptz, $${at + 2}) AND created_at < $${at + 3}
       ORDER BY created_at, id LIMIT ${PAGE}`,
      [...values, new Date(afterMs).toISOString(), afterId, new Date(toMs).toISOString()],
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    [afterMs, afterId] = [last.created_at.getTime(), last.id];
  }
}

/** All of our lines that began within the span; refunds where the acquirer's books have them. */
export async function* readOurs(
  db: Queryable,
  scope: BookScope,
  { hasRefunds }: { hasRefunds: boolean },
): AsyncIterable<OurLine[]> {
  const { fromMs, toMs } = scope;
  for (const text of hasRefunds ? [PAYMENTS, REFUNDS] : [PAYMENTS]) {
    const span = { values: scopeValues(scope), fromMs, toMs };
    for await (const rows of pages<Row>(db, text, span)) yield rows.map(toLine);
  }
}

type KnownRow = {
  id: string;
  reference: string;
  invoice_id: string;
  amount_minor: string;
  currency: Currency;
  created_at: Date;
  start_request: string | null;
  transaction_id: string | null;
};

/** The payments of the span that have an id at the acquirer, for one without a list of its own. */
export async function* readKnown(
  db: Queryable,
  { accountId, fromMs, toMs }: BookScope,
): AsyncIterable<{ attempt: AttemptKey; transactionId: string }> {
  const text = `
    SELECT id, authorisation_id AS reference, invoice_id, amount_minor::text, currency, created_at,
           start_request, transaction_id
    FROM payment_attempts WHERE account_id = $1 AND authorisation_id IS NOT NULL`;
  for await (const rows of pages<KnownRow>(db, text, { values: [accountId], fromMs, toMs })) {
    for (const row of rows) {
      const attempt = {
        id: row.id,
        authorisationId: row.reference,
        invoiceId: row.invoice_id,
        amountMinor: BigInt(row.amount_minor),
        currency: row.currency,
        createdAtMs: row.created_at.getTime(),
        startRequest: row.start_request === null ? null : readStartRequest(row.start_request),
      };
      yield { attempt, transactionId: row.transaction_id ?? row.reference };
    }
  }
}

/** Keeps fees that the acquirer told after the capture. */
export async function keepFees(db: Queryable, fees: readonly Fee[]): Promise<void> {
  await db.query(
    `UPDATE payment_attempts p SET fee_minor = told.fee
     FROM unnest($1::text[], $2::bigint[]) AS told (id, fee)
     WHERE p.id = told.id AND p.status = 'captured' AND p.fee_minor IS DISTINCT FROM told.fee`,
    [fees.map(({ attemptId }) => attemptId), fees.map(({ feeMinor }) => feeMinor.toString())],
  );
}
