import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createInvoice, type RequestHashes } from '../invoices/create.ts';
import type { InvoiceFilters } from '../invoices/lists/list-types.ts';
import type { NewInvoice } from '../invoices/types.ts';
import { newId } from '../lib/ids.ts';
import type { Tenant } from '../merchants/types.ts';

/** Filters of the list that let everything through. */
export const NO_FILTERS: InvoiceFilters = {
  statuses: [],
  currency: null,
  minAmountMinor: null,
  maxAmountMinor: null,
  fromMs: null,
  untilMs: null,
  callbackState: null,
  search: '',
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
