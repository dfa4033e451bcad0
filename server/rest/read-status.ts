import { nameOf } from '../invoices/status-rows.ts';
import type { InvoiceStatusView } from '../invoices/types.ts';
import type { Awaitable } from '../lib/sync-promise.ts';
import { parseStatusQuery } from '../wire/invoice-reference.ts';
import { invoiceStatusText } from '../wire/invoice-responses.ts';
import { INVOICE_NOT_FOUND, invalid, success } from './answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from './types.ts';

// Our ids and a merchant's (255 characters at most) are shorter; PostgreSQL's
// text cannot hold a NUL, so no invoice can be named with one.
const MAX_REFERENCE_LENGTH = 512;

/** Whether an invoice could have this name at all; if not, the database need not be asked. */
export function canExist(reference: string): boolean {
  return reference.length <= MAX_REFERENCE_LENGTH && !reference.includes('\0');
}

function answerOf(view: InvoiceStatusView | null): Answer {
  return view === null ? INVOICE_NOT_FOUND : success(invoiceStatusText(view));
}

function handle(context: RestContext, request: AuthenticatedRequest): Awaitable<Answer> {
  const reference = parseStatusQuery(request.query);
  if (!reference.ok) return invalid(reference.detail);
  if (!canExist(nameOf(reference.value))) return INVOICE_NOT_FOUND;
  const { tenant, now, requestId } = request;
  return context.invoices.readStatus(tenant, reference.value, { now, requestId }).chain(answerOf);
}

/** `GET /invoice/status` (contract, "Endpoints"). */
export const readStatusEndpoint: Endpoint = { method: 'GET', handle };
