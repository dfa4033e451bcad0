import { invoiceIdRequest } from '../../wire/invoice-requests.ts';
import { invoiceStatusText } from '../../wire/invoice-responses.ts';
import { CANNOT_CANCEL, INVOICE_NOT_FOUND, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { parseNamedInvoice } from './named-invoice.ts';

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const named = parseNamedInvoice(invoiceIdRequest, request);
  if (!named.ok) return named.answer;
  const { invoice_id: invoiceId } = named.value;
  const { tenant, tokenId, requestId, now } = request;
  const actor = { type: 'api', id: tokenId, requestId } as const;
  const result = await context.invoices.cancel(tenant, invoiceId, { actor, now });
  switch (result.outcome) {
    case 'canceled':
      return success(invoiceStatusText(result.view));
    case 'not_found':
      return INVOICE_NOT_FOUND;
    case 'final':
      return CANNOT_CANCEL.final(result.status);
    case 'payment_in_progress':
      return CANNOT_CANCEL.beingPaid;
  }
}

/** `POST /invoice/cancel` (contract, "Endpoints"). */
export const cancelInvoiceEndpoint: Endpoint = { method: 'POST', scope: 'invoices.write', handle };
