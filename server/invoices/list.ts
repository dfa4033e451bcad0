import type { Queryable } from '../db/pool.ts';
import { idBefore } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';
import { epochMs } from './rows.ts';
import { type InvoiceSearch, parseSearch } from './search.ts';
import type { InvoiceStatus } from './types.ts';

/** What narrows a list; each that is null or empty narrows nothing. */
export type InvoiceFilters = {
  statuses: readonly InvoiceStatus[];
  currency: Currency | null;
  minAmountMinor: bigint | null;
  maxAmountMinor: bigint | null;
  /** Created at or after, milliseconds. */
  fromMs: number | null;
  /** Created before, milliseconds. */
  untilMs: number | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  /** What a person typed: an id, a transaction id, an amount or the last four digits of a card. */
  search: string;
};

/** An invoice as a list shows it. */
export type InvoiceListItem = {
  id: string;
  merchantTransactionId: string;
  status: InvoiceStatus;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  createdAtMs: number;
  cardBrand: string | null;
  cardLast4: string | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  callbackAttempts: number;
};

const MAX_PAGE = 200;

type Row = Omit<InvoiceListItem, 'amountMinor'> & { amountMinor: string };

/** Collects values and hands out their placeholders. */
function placeholders(): { values: unknown[]; add: (value: unknown) => string } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

type Add = (value: unknown) => string;

function conditionsOf(tenant: Tenant, filters: InvoiceFilters, add: Add): string[] {
  const conditions = [
    `i.merchant_id = ${add(tenant.merchantId)}::text`,
    `i.environment = ${add(tenant.environment)}::environment`,
  ];
  const { statuses, currency, minAmountMinor, maxAmountMinor, fromMs, untilMs } = filters;
  if (statuses.length > 0) conditions.push(`i.status = ANY(${add(statuses)}::invoice_status[])`);
  if (currency) conditions.push(`i.currency = ${add(currency)}::currency`);
  if (minAmountMinor !== null) conditions.push(`i.amount_minor >= ${add(minAmountMinor)}::bigint`);
  if (maxAmountMinor !== null) conditions.push(`i.amount_minor <= ${add(maxAmountMinor)}::bigint`);
  // Ids begin with the time of creation: the list's own index finds a span of time.
  if (fromMs !== null) conditions.push(`i.id >= ${add(idBefore('inv', fromMs))}::text`);
  if (untilMs !== null) conditions.push(`i.id < ${add(idBefore('inv', untilMs))}::text`);
  if (filters.callbackState) {
    conditions.push(`EXISTS (SELECT FROM callbacks c WHERE c.invoice_id = i.id
      AND c.merchant_id = i.merchant_id AND c.environment = i.environment
      AND c.state = ${add(filters.callbackState)}::callback_state)`);
  }
  return conditions;
}

/** One condition for each thing that the text can mean, so that each goes by its own index. */
function searchArms(search: InvoiceSearch, add: Add): string[] {
  const text = add(search.text);
  const arms = [
    `i.merchant_transaction_id = ${text}::text`,
    `i.id IN (SELECT invoice_id FROM payment_attempts WHERE id = ${text}::text)`,
    `i.id IN (SELECT invoice_id FROM payment_attempts WHERE authorisation_id = ${text}::text)`,
  ];
  if (search.invoiceId) arms.push(`i.id = ${add(search.invoiceId)}::text`);
  if (search.cardLast4) {
    const last4 = add(search.cardLast4);
    arms.push(
      `i.id IN (SELECT invoice_id FROM payment_attempts WHERE card_last4 = ${last4}::text)`,
    );
  }
  if (search.amountMinor !== null) {
    const amount = add(search.amountMinor);
    arms.push(`i.amount_minor = ${amount}::bigint AND i.status <> 'PENDING'`);
    arms.push(`i.amount_minor = ${amount}::bigint AND i.status = 'PENDING'`);
  }
  return arms;
}

const COLUMNS = `i.id, i.merchant_transaction_id AS "merchantTransactionId", i.status,
  i.amount_minor::text AS "amountMinor", i.currency, i.description,
  ${epochMs('i.created_at')} AS "createdAtMs", p.card_brand AS "cardBrand",
  p.card_last4 AS "cardLast4", c.state AS "callbackState",
  coalesce(c.attempt_count, 0) AS "callbackAttempts"`;

/**
 * A page of the tenant's invoices, the newest first.
 *
 * Pages are told apart by the last id of the one before, never by an offset, so that
 * page 1,000 costs what the first does.
 *
 * @param cursor the last id of the page before, or null
 * @param limit 1 to 200
 */
export async function listInvoices(
  db: Queryable,
  tenant: Tenant,
  page: { filters: InvoiceFilters; cursor: string | null; limit: number },
): Promise<{ invoices: InvoiceListItem[]; nextCursor: string | null }> {
  const limit = Math.min(Math.max(1, page.limit), MAX_PAGE);
  const { values, add } = placeholders();
  const conditions = conditionsOf(tenant, page.filters, add);
  if (page.cursor !== null) conditions.push(`i.id < ${add(page.cursor)}::text`);
  const search = parseSearch(page.filters.search);
  const arms = search ? searchArms(search, add) : ['true'];
  const wanted = add(limit + 1);
  const found = arms
    .map(
      (arm) => `(SELECT i.id FROM invoices i WHERE ${conditions.join(' AND ')} AND ${arm}
        ORDER BY i.id DESC LIMIT ${wanted}::int)`,
    )
    .join(' UNION ');
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT f.id FROM (${found}) f ORDER BY f.id DESC LIMIT ${wanted}::int) page
     JOIN invoices i ON i.id = page.id
     LEFT JOIN callbacks c ON c.invoice_id = i.id
     LEFT JOIN LATERAL (SELECT card_brand, card_last4 FROM payment_attempts
       WHERE invoice_id = i.id ORDER BY created_at DESC LIMIT 1) p ON true
     ORDER BY i.id DESC`,
    values,
  );
  const shown = rows.slice(0, limit);
  return {
    invoices: shown.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor) })),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
