import type { Queryable } from '../db/pool.ts';
import { CURRENCIES, type Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';
import {
  REGISTER_KINDS,
  type RegisterKind,
  type RegisterRow,
  type RegisterTotal,
  type Span,
} from './types.ts';

/** A place in the register: rows are in the order of time, kind and id. */
type Place = { atMs: number; kind: RegisterKind; id: string };

export type RegisterPage = { rows: RegisterRow[]; nextCursor: string | null };

const SCOPE = 'merchant_id = $1::text AND environment = $2::environment';

/** Rows of one index: in its order, so that PostgreSQL stops as soon as a page is full. */
type Source = { kind: RegisterKind; table: string; at: string; condition: string };

// An index has the payments of each currency by time. The status and the currency are written out:
// otherwise PostgreSQL does not use the partial index in its order.
const SOURCES: Source[] = [
  ...CURRENCIES.map((currency) => ({
    kind: 'payment' as const,
    table: 'invoices',
    at: 'status_changed_at',
    condition: `status = 'PAID' AND currency = '${currency}'`,
  })),
  { kind: 'refund', table: 'refunds', at: 'succeeded_at', condition: 'succeeded_at IS NOT NULL' },
  {
    kind: 'refund_returned',
    table: 'refunds',
    at: 'returned_at',
    condition: 'returned_at IS NOT NULL',
  },
];

const SPAN = (at: string): string => `${at} >= $3::timestamptz AND ${at} < $4::timestamptz`;

function afterPlace({ kind, at }: Source, place: Place | null): string {
  if (place === null) return '';
  const [own, its] = [kind, place.kind].map((each) => REGISTER_KINDS.indexOf(each));
  if (own === its) return ` AND (${at}, id) > ($6::timestamptz, $7::text)`;
  return ` AND ${at} ${(own ?? 0) > (its ?? 0) ? '>=' : '>'} $6::timestamptz`;
}

function sourceSql(source: Source, place: Place | null): string {
  const { kind, table, at, condition } = source;
  const rank = REGISTER_KINDS.indexOf(kind);
  const refundId = kind === 'payment' ? 'NULL::text' : 'id';
  const invoiceId = kind === 'payment' ? 'id' : 'invoice_id';
  return `(SELECT ${rank} AS rank, ${at} AS at, id, ${invoiceId} AS invoice_id, ${refundId} AS refund_id
    FROM ${table} WHERE ${SCOPE} AND ${condition} AND ${SPAN(at)}${afterPlace(source, place)}
    ORDER BY ${at}, id LIMIT $5::int)`;
}

const pageSql = (place: Place | null): string => `
  WITH page AS MATERIALIZED (
    SELECT * FROM (${SOURCES.map((source) => sourceSql(source, place)).join(' UNION ALL ')}) s
    ORDER BY at, rank, id LIMIT $5::int)
  SELECT page.rank, page.id, (extract(epoch FROM page.at) * 1000)::float8 AS "atMs",
    i.id AS "invoiceId", i.merchant_transaction_id AS "merchantTransactionId", i.description,
    r.id AS "refundId", r.refund_transaction_id AS "refundTransactionId",
    coalesce(a.name, p.provider) AS account, p.card_brand AS "cardBrand",
    p.card_last4 AS "cardLast4", coalesce(p.authorisation_id, p.id) AS "paymentReference",
    i.currency, coalesce(r.amount_minor, i.amount_minor)::text AS "amountMinor",
    p.fee_minor::text AS "feeMinor"
  FROM page JOIN invoices i ON i.id = page.invoice_id
  LEFT JOIN refunds r ON r.id = page.refund_id
  LEFT JOIN payment_attempts p ON p.id = i.capture_attempt_id
  LEFT JOIN acquirer_accounts a ON a.id = p.account_id
  ORDER BY page.at, page.rank, page.id`;

type Row = Omit<RegisterRow, 'kind' | 'amountMinor' | 'feeMinor' | 'netMinor'> & {
  rank: number;
  id: string;
  amountMinor: string;
  feeMinor: string | null;
};

function toRow({ rank, id: _, ...row }: Row): RegisterRow {
  const kind = REGISTER_KINDS[rank] ?? 'payment';
  const moved = BigInt(row.amountMinor);
  const amountMinor = kind === 'refund' ? -moved : moved;
  const feeMinor = kind !== 'payment' || row.feeMinor === null ? null : BigInt(row.feeMinor);
  return { ...row, kind, amountMinor, feeMinor, netMinor: amountMinor - (feeMinor ?? 0n) };
}

function placeOf(cursor: string | null): Place | null {
  const [, atMs = '', rank = '', id = ''] = /^(\d{1,15})\.(\d)\.(.+)$/.exec(cursor ?? '') ?? [];
  const kind = REGISTER_KINDS[Number(rank)];
  return id === '' || kind === undefined ? null : { atMs: Number(atMs), kind, id };
}

/**
 * A page of what moved the tenant's money in a span of time, the oldest first.
 *
 * @param page.cursor `nextCursor` of the page before, or null
 */
export async function readRegister(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { fromMs, untilMs }: Span,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<RegisterPage> {
  const place = placeOf(cursor);
  const times = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  const { rows } = await db.query<Row>({
    name: `register_page_${place?.kind ?? 'first'}`,
    text: pageSql(place),
    values: [
      merchantId,
      environment,
      ...times,
      limit + 1,
      ...(place ? [new Date(place.atMs).toISOString(), place.id] : []),
    ],
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(toRow),
    nextCursor: last ? `${last.atMs}.${last.rank}.${last.id}` : null,
  };
}

// Each span of $3 and $4 is one piece of the indexes; `n` counts them from 1.
const IN_SPAN = (at: string): string => `${at} >= s.from_at AND ${at} < s.until_at`;

const TOTALS = `
  WITH span AS (
    SELECT * FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY
      AS s (from_at, until_at, n)
  ), payment AS (
    SELECT s.n, i.* FROM span s CROSS JOIN LATERAL (
      SELECT i.currency, count(*) AS payments, sum(i.amount_minor) AS gross,
        coalesce(sum(p.fee_minor), 0) AS fee, count(*) - count(p.fee_minor) AS unknown
      FROM invoices i LEFT JOIN payment_attempts p ON p.id = i.capture_attempt_id
      WHERE i.merchant_id = $1::text AND i.environment = $2::environment AND i.status = 'PAID'
        AND i.currency = ANY ('{${CURRENCIES.join()}}'::currency[]) AND ${IN_SPAN('i.status_changed_at')}
      GROUP BY i.currency) i
  ), moved AS (
    SELECT s.n, r.currency, 1 AS refunds, r.amount_minor FROM span s CROSS JOIN LATERAL (
      SELECT currency, amount_minor FROM refunds WHERE ${SCOPE} AND ${IN_SPAN('succeeded_at')}) r
    UNION ALL
    SELECT s.n, r.currency, 0, -r.amount_minor FROM span s CROSS JOIN LATERAL (
      SELECT currency, amount_minor FROM refunds WHERE ${SCOPE} AND ${IN_SPAN('returned_at')}) r
  ), refund AS (
    SELECT n, currency, sum(refunds) AS refunds, sum(amount_minor) AS refunded
    FROM moved GROUP BY n, currency
  )
  SELECT n::int, currency, coalesce(payments, 0)::int AS payments, coalesce(gross, 0)::text AS gross,
    coalesce(refunds, 0)::int AS refunds, coalesce(refunded, 0)::text AS refunded,
    coalesce(fee, 0)::text AS fee, coalesce(unknown, 0)::int AS unknown
  FROM payment FULL JOIN refund USING (n, currency) ORDER BY n, currency`;

type TotalRow = {
  n: number;
  currency: Currency;
  payments: number;
  gross: string;
  refunds: number;
  refunded: string;
  fee: string;
  unknown: number;
};

/** What each span of time comes to, by currency: exactly the sums of its rows, in one statement. */
export async function sumRegisters(
  db: Queryable,
  { merchantId, environment }: Tenant,
  spans: readonly Span[],
): Promise<RegisterTotal[][]> {
  const times = (part: keyof Span): string[] =>
    spans.map((span) => new Date(span[part]).toISOString());
  const { rows } = await db.query<TotalRow>({
    name: 'register_totals',
    text: TOTALS,
    values: [merchantId, environment, times('fromMs'), times('untilMs')],
  });
  const totals = spans.map((): RegisterTotal[] => []);
  for (const { n, gross, refunded, fee, unknown, ...row } of rows) {
    totals[n - 1]?.push({
      ...row,
      grossMinor: BigInt(gross),
      refundedMinor: BigInt(refunded),
      feeMinor: BigInt(fee),
      feesUnknown: unknown,
      netMinor: BigInt(gross) - BigInt(refunded) - BigInt(fee),
    });
  }
  return totals;
}

/** What one span of time comes to. */
export async function sumRegister(
  db: Queryable,
  tenant: Tenant,
  span: Span,
): Promise<RegisterTotal[]> {
  const [totals = []] = await sumRegisters(db, tenant, [span]);
  return totals;
}
