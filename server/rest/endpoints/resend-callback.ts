import { resendCallback } from '../../callbacks/resend.ts';
import { readStatus } from '../../invoices/data.ts';
import type { AuditActor } from '../../merchants/audit.ts';
import type { Environment } from '../../merchants/types.ts';
import { invoiceIdRequest } from '../../wire/invoice-requests.ts';
import { CALLBACK_IN_FLIGHT, INVOICE_NOT_FOUND, NO_CALLBACK, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';
import { parseNamedInvoice } from './named-invoice.ts';

/** How the audit log names a token. */
function tokenActor(environment: Environment, id: string): AuditActor {
  if (environment === 'sandbox') return { type: 'test', id, label: 'sandbox token' };
  return { type: 'api', id, label: 'API token' };
}

async function handle(context: RestContext, request: AuthenticatedRequest): Promise<Answer> {
  const named = parseNamedInvoice(invoiceIdRequest, request);
  if (!named.ok) return named.answer;
  const { invoice_id: invoiceId } = named.value;
  const { tenant, tokenId, requestId, now } = request;
  // Ends the invoice if its time is over, so that it has its callback.
  const invoice = await readStatus(context.db, tenant, { invoiceId }, { now, requestId });
  if (invoice === null) return INVOICE_NOT_FOUND;
  const actor = tokenActor(tenant.environment, tokenId);
  const outcome = await resendCallback(context.db, tenant, invoiceId, { actor, now });
  switch (outcome) {
    case 'queued':
      return success(JSON.stringify({ invoice_id: invoiceId }));
    case 'not_found':
      return NO_CALLBACK;
    case 'in_flight':
      return CALLBACK_IN_FLIGHT;
  }
}

/** `POST /callback/resend`: makes a callback due now, whatever its state. */
export const resendCallbackEndpoint: Endpoint = {
  method: 'POST',
  scope: 'callbacks.write',
  handle,
};

/** `POST /test/callback/resend`: the same for a token that only drives the sandbox. */
export const testResendEndpoint: Endpoint = {
  method: 'POST',
  scope: 'sandbox',
  sandboxOnly: true,
  handle,
};
