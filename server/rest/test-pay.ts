import { payInSandbox } from '../payments/sandbox-drive.ts';
import { SANDBOX_OUTCOMES } from '../payments/test-cards.ts';
import { parseBody, testPayRequest } from '../wire/invoice-requests.ts';
import { testPaymentText } from '../wire/invoice-responses.ts';
import { failure, INVOICE_NOT_FOUND, invalid, success } from './answers.ts';
import { canExist } from './read-status.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from './types.ts';

export const sandboxPayRequest = testPayRequest(SANDBOX_OUTCOMES);

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const parsed = parseBody(sandboxPayRequest, request.body, request.header('content-type'));
  if (!parsed.ok) return invalid(parsed.detail);
  const { invoice_id: invoiceId, outcome } = parsed.value;
  if (!canExist(invoiceId)) return INVOICE_NOT_FOUND;
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
      return failure(409, `Invoice cannot be paid: it is already ${result.status}`);
    case 'too_many_attempts':
      return failure(409, 'Invoice cannot be paid: too many attempts were made');
    case 'payment_in_progress':
      return failure(409, 'Invoice cannot be paid: a payment is being completed');
  }
}

/** `POST /test/invoice/pay` (decisions, "Driving the sandbox from a test"). */
export const testPayEndpoint: Endpoint = { method: 'POST', sandboxOnly: true, handle };
