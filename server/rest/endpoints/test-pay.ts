import { payInSandbox } from '../../payments/providers/sandbox/sandbox-drive.ts';
import { SANDBOX_OUTCOMES } from '../../payments/providers/sandbox/test-cards.ts';
import { testPayRequest } from '../../wire/invoice-requests.ts';
import { testPaymentText } from '../../wire/invoice-responses.ts';
import { CANNOT_PAY, INVOICE_NOT_FOUND, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { parseNamedInvoice } from './named-invoice.ts';

export const sandboxPayRequest = testPayRequest(SANDBOX_OUTCOMES);

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const named = parseNamedInvoice(sandboxPayRequest, request);
  if (!named.ok) return named.answer;
  const { invoice_id: invoiceId, outcome } = named.value;
  const { tenant, tokenId, requestId } = request;
  const result = await payInSandbox(context.db, tenant, invoiceId, {
    outcome: outcome ?? 'approved',
    clock: context.clock,
    actor: { type: 'test', id: tokenId, requestId },
    onLateError: (error) =>
      context.log.error({ err: error, requestId, invoiceId }, 'a test payment failed late'),
  });
  switch (result.outcome) {
    case 'paid':
    case 'processing':
      return success(testPaymentText(result.view, null));
    case 'declined':
      return success(testPaymentText(result.view, result.declineReason));
    case 'not_found':
      return INVOICE_NOT_FOUND;
    case 'final':
      return CANNOT_PAY.final(result.status);
    case 'too_many_attempts':
      return CANNOT_PAY.triedTooOften;
    case 'payment_in_progress':
      return CANNOT_PAY.beingPaid;
  }
}

/** `POST /test/invoice/pay`. */
export const testPayEndpoint: Endpoint = {
  method: 'POST',
  scope: 'sandbox',
  sandboxOnly: true,
  handle,
};
