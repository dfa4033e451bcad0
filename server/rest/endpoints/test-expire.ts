import { expireInvoiceNow } from '../../invoices/expire.ts';
import { invoiceIdRequest } from '../../wire/invoice-requests.ts';
import { invoiceStatusText } from '../../wire/invoice-responses.ts';
import { CANNOT_EXPIRE, INVOICE_NOT_FOUND, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { parseNamedInvoice } from './named-invoice.ts';

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const named = parseNamedInvoice(invoiceIdRequest, request);
  if (!named.ok) return named.answer;
  const { invoice_id: invoiceId } = named.value;
  const { tenant, tokenId, requestId, now } = request;
  const result = await expireInvoiceNow(context.db, tenant, invoiceId, {
    actor: { type: 'test', id: tokenId, requestId },
    now,
  });
  switch (result.outcome) {
    case 'expired':
      return success(invoiceStatusText(result.view));
    case 'not_found':
      return INVOICE_NOT_FOUND;
    case 'final':
      return CANNOT_EXPIRE.final(result.status);
    case 'payment_in_progress':
      return CANNOT_EXPIRE.beingPaid;
  }
}

/** `POST /test/invoice/expire`. */
export const testExpireEndpoint: Endpoint = {
  method: 'POST',
  scope: 'sandbox',
  sandboxOnly: true,
  handle,
};
