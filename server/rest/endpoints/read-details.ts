import { readInvoiceDetails } from '../../invoices/reading/records.ts';
import { nameOf } from '../../invoices/status-rows.ts';
import { invoiceDetailsText } from '../../wire/invoice-records.ts';
import { parseStatusQuery } from '../../wire/invoice-reference.ts';
import { INVOICE_NOT_FOUND, invalid, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';

async function handle(
  { db, publicUrl }: RestContext,
  { query, tenant, now, requestId }: AuthenticatedRequest,
): Promise<Answer> {
  const reference = parseStatusQuery(query);
  if (!reference.ok) return invalid(reference.detail);
  if (!canExist(nameOf(reference.value))) return INVOICE_NOT_FOUND;
  const details = await readInvoiceDetails(db, tenant, reference.value, { now, requestId });
  return details ? success(invoiceDetailsText(details, publicUrl)) : INVOICE_NOT_FOUND;
}

/** `GET /invoice/details`. */
export const readDetailsEndpoint: Endpoint = { method: 'GET', scope: 'invoices.read', handle };
