import { invoiceIdRequest, parseBody } from '../wire/invoice-requests.ts';
import { invoiceStatusText } from '../wire/invoice-responses.ts';
import { failure, INVOICE_NOT_FOUND, invalid, success } from './answers.ts';
import { canExist } from './read-status.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from './types.ts';

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const parsed = parseBody(invoiceIdRequest, request.body, request.header('content-type'));
  if (!parsed.ok) return invalid(parsed.detail);
  const { invoice_id: invoiceId } = parsed.value;
  if (!canExist(invoiceId)) return INVOICE_NOT_FOUND;
  const { tenant, tokenId, requestId, now } = request;
  const actor = { type: 'api', id: tokenId, requestId } as const;
  const result = await context.invoices.cancel(tenant, invoiceId, { actor, now }).promise();
  switch (result.outcome) {
    case 'canceled':
      return success(invoiceStatusText(result.view));
    case 'not_found':
      return INVOICE_NOT_FOUND;
    case 'final':
      return failure(409, `Invoice cannot be cancelled: it is already ${result.status}`);
    case 'payment_in_progress':
      return failure(409, 'Invoice cannot be cancelled: a payment is being completed');
  }
}

/** `POST /invoice/cancel` (contract, "Endpoints"; decisions, "Status and cancel"). */
export const cancelInvoiceEndpoint: Endpoint = { method: 'POST', handle };
