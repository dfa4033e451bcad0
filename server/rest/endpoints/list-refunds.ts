import { listRefunds } from '../../refunds/data.ts';
import { parseInvoiceQuery } from '../../wire/invoice-reference.ts';
import { refundListText } from '../../wire/refund-responses.ts';
import { INVOICE_NOT_FOUND, invalid, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';

async function handle({ db }: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const named = parseInvoiceQuery(request.query);
  if (!named.ok) return invalid(named.detail);
  const { invoiceId } = named.value;
  const found = canExist(invoiceId) ? await listRefunds(db, request.tenant, invoiceId) : null;
  return found ? success(refundListText(found)) : INVOICE_NOT_FOUND;
}

/** `GET /invoice/refunds`. */
export const listRefundsEndpoint: Endpoint = { method: 'GET', scope: 'invoices.read', handle };
