import type { Queryable } from '../db/pool.ts';
import { CURRENCIES, type Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';

const SHOWN = 6;

/** A payment that came in. */
export type LatestPayment = {
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  paidAtMs: number;
  /** The account at the acquirer as buyers read it; null for the sandbox's own card form. */
  account: string | null;
  cardLast4: string | null;
};

// The index by payment has each currency in the order of time: a few rows of each are read.
const LATEST = `
  WITH latest AS MATERIALIZED (
    SELECT * FROM (${CURRENCIES.map(
      (currency) => `
      (SELECT id, status_changed_at AS at FROM invoices
       WHERE merchant_id = $1::text AND environment = $2::environment AND status = 'PAID'
         AND currency = '${currency}' ORDER BY status_changed_at DESC, id DESC LIMIT ${SHOWN})`,
    ).join(' UNION ALL ')}) newest
    ORDER BY at DESC, id DESC LIMIT ${SHOWN})
  SELECT i.id AS "invoiceId", i.amount_minor::text AS "amountMinor", i.currency, i.description,
    (extract(epoch FROM l.at) * 1000)::float8 AS "paidAtMs", a.name AS account,
    p.card_last4 AS "cardLast4"
  FROM latest l JOIN invoices i ON i.id = l.id
  LEFT JOIN payment_attempts p ON p.id = i.capture_attempt_id
  LEFT JOIN acquirer_accounts a ON a.id = p.account_id
  ORDER BY l.at DESC, l.id DESC`;

/** The payments that came in last, the newest first. */
export async function latestPayments(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<LatestPayment[]> {
  const { rows } = await db.query<Omit<LatestPayment, 'amountMinor'> & { amountMinor: string }>({
    name: 'latest_payments',
    text: LATEST,
    values: [merchantId, environment],
  });
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) }));
}
