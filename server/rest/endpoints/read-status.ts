import { nameOf } from '../../invoices/status-rows.ts';
import type { InvoiceStatusView } from '../../invoices/types.ts';
import { parseStatusQuery } from '../../wire/invoice-reference.ts';
import { invoiceStatusText } from '../../wire/invoice-responses.ts';
import { INVOICE_NOT_FOUND, invalid, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { canExist } from './named-invoice.ts';

function answerOf(view: InvoiceStatusView | null): Answer {
  return view === null ? INVOICE_NOT_FOUND : success(invoiceStatusText(view));
}

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const reference = parseStatusQuery(request.query);
  if (!reference.ok) return invalid(reference.detail);
  if (!canExist(nameOf(reference.value))) return INVOICE_NOT_FOUND;
  const { tenant, now, requestId } = request;
  return answerOf(await context.invoices.readStatus(tenant, reference.value, { now, requestId }));
}

/** `GET /invoice/status` (contract, "Endpoints"). */
export const readStatusEndpoint: Endpoint = { method: 'GET', scope: 'invoices.read', handle };
