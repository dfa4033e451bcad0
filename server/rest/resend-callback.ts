import { resendCallback } from '../callbacks/resend.ts';
import { invoiceIdRequest, parseBody } from '../wire/invoice-requests.ts';
import { failure, INVOICE_NOT_FOUND, invalid, success } from './answers.ts';
import { canExist } from './read-status.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from './types.ts';

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const parsed = parseBody(invoiceIdRequest, request.body, request.header('content-type'));
  if (!parsed.ok) return invalid(parsed.detail);
  const { invoice_id: invoiceId } = parsed.value;
  if (!canExist(invoiceId)) return INVOICE_NOT_FOUND;
  const { tenant, tokenId, now } = request;
  const actor = { type: 'test', id: tokenId, label: 'sandbox token' } as const;
  const outcome = await resendCallback(context.db, tenant, invoiceId, { actor, now });
  switch (outcome) {
    case 'queued':
      return success(JSON.stringify({ invoice_id: invoiceId }));
    case 'not_found':
      return failure(404, 'Invoice has no callback yet');
    case 'in_flight':
      return failure(409, 'The callback is being sent at this moment');
  }
}

/** `POST /test/callback/resend`: makes a callback due now, whatever became of it before. */
export const resendCallbackEndpoint: Endpoint = { method: 'POST', sandboxOnly: true, handle };
