import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { createInvoice, type RequestHashes } from '../invoices/create.ts';
import type { InvoiceFilters } from '../invoices/lists/list-types.ts';
import type { InvoiceStatus, NewInvoice, RecordFilters } from '../invoices/types.ts';
import { newId } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';

/** Filters of the list that let everything through. */
export const NO_FILTERS: InvoiceFilters = {
  statuses: [],
  currency: null,
  minAmountMinor: null,
  maxAmountMinor: null,
  by: 'created',
  fromMs: null,
  untilMs: null,
  callbackState: null,
  linkId: null,
  search: '',
};

/** Filters of the API's list that let everything through. */
export const NO_RECORD_FILTERS: RecordFilters = {
  status: null,
  currency: null,
  createdFromMs: null,
  createdToMs: null,
  paidFromMs: null,
  paidToMs: null,
};

/** A valid invoice for tests; `overrides` replace the fields under test. */
export function newInvoice(overrides: Partial<NewInvoice> = {}): NewInvoice {
  return {
    amountMinor: 1500,
    currency: 'USD',
    description: 'Two tickets',
    endDateMs: Date.parse('2026-11-21T13:00:00.000Z'),
    positions: [{ title: 'Ticket', amountMinor: 1500, currency: 'USD' }],
    merchantTransactionId: randomUUID(),
    successUrl: 'http://localhost:1/success',
    errorUrl: 'http://localhost:1/error',
    callbackUrl: 'http://localhost:1/callback',
    merchantData: null,
    ...overrides,
  };
}

/** The hashes of a request that consists of a single text. */
export function hashesOf(text: string): RequestHashes {
  const hash = createHash('sha256').update(text).digest();
  return { requestHash: hash, valuesHash: hash };
}

/** Creates an invoice and returns its id. */
export async function createTestInvoice(
  db: Pool,
  tenant: Tenant,
  { now, ...overrides }: Partial<NewInvoice> & { now: Date },
): Promise<string> {
  const id = newId('inv', now.getTime());
  const { outcome } = await createInvoice(db, tenant, {
    id,
    createdAt: now,
    requestId: null,
    invoice: newInvoice(overrides),
    idempotency: null,
  });
  if (outcome !== 'created') throw new Error(`not created: ${outcome}`);
  return id;
}

export type WrittenInvoice = {
  id: string;
  createdAtMs: number;
  changedAtMs: number;
  status: InvoiceStatus;
  currency: Currency;
};

/** Writes invoices as they are, without the way that led there. */
export async function writeInvoices(
  db: Queryable,
  tenant: Tenant,
  rows: readonly WrittenInvoice[],
): Promise<void> {
  await db.query(
    `INSERT INTO invoices
       (id, merchant_id, environment, merchant_transaction_id, amount_minor, currency, description,
        positions, success_url, error_url, callback_url, status, capture_attempt_id, end_date,
        created_at, status_changed_at)
     SELECT id, $1, $2::environment, id, 1500, currency, 'Ticket', '[]', 'http://localhost/s',
       'http://localhost/e', 'http://localhost/c', status,
       CASE WHEN status = 'PAID' THEN 'pay_' || id END, '9999-01-01',
       to_timestamp(created_ms / 1000), to_timestamp(changed_ms / 1000)
     FROM unnest($3::text[], $4::float8[], $5::float8[], $6::invoice_status[], $7::currency[])
       AS a (id, created_ms, changed_ms, status, currency)`,
    [
      tenant.merchantId,
      tenant.environment,
      rows.map(({ id }) => id),
      rows.map(({ createdAtMs }) => createdAtMs),
      rows.map(({ changedAtMs }) => changedAtMs),
      rows.map(({ status }) => status),
      rows.map(({ currency }) => currency),
    ],
  );
}
