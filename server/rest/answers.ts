import type { InvoiceStatus } from '../invoices/types.ts';
import type { GatewayError } from '../lib/errors.ts';
import {
  type EnvelopeErrorStatus,
  errorEnvelope,
  successEnvelope,
  validationBody,
} from '../wire/envelope.ts';
import type { ValidationItem } from '../wire/validation.ts';
import type { Answer } from './types.ts';

/** A failure in the envelope, with the status as its error_code. */
export function failure(
  status: EnvelopeErrorStatus,
  message: string,
  headers?: { [name: string]: string },
): Answer {
  return { status, body: errorEnvelope(status, message), headers };
}

/** 200 in the envelope; the data is JSON text already. */
export function success(dataText: string): Answer {
  return { status: 200, body: successEnvelope(dataText) };
}

/** 422 with every fault. */
export function invalid(detail: readonly ValidationItem[]): Answer {
  return { status: 422, body: validationBody(detail) };
}

// Written once, because every caller gets the same bytes.
export const UNAUTHORIZED = failure(401, 'Unauthorized');
/** The token works, and is not allowed to do this. */
export const FORBIDDEN = failure(403, 'Forbidden');
export const NOT_FOUND = failure(404, 'Not found');
export const INVOICE_NOT_FOUND = failure(404, 'Invoice not found');
export const TOO_LARGE = failure(413, 'Request body is larger than 256 KiB');
export const INTERNAL_ERROR = failure(500, 'Internal server error');
export const DUPLICATE = failure(409, 'Invoice with this merchant_transaction_id already exists');

/** Too many requests wait already; nothing was done. */
export const BUSY = failure(503, 'Service is busy', { 'retry-after': '1' });

/** Only for the count of requests: the caller left before the answer. */
export const CALLER_LEFT: Answer = { status: 499, body: '' };

/** 429 with the time to wait before the next try. */
export function tooManyRequests(waitMs: number): Answer {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return failure(429, 'Too many requests', { 'retry-after': String(seconds) });
}

/** 405 with the allowed method. */
export function methodNotAllowed(allow: string): Answer {
  return failure(405, 'Method not allowed', { allow });
}

type FinalStatus = Exclude<InvoiceStatus, 'PENDING'>;

// Nothing else ends an invoice while a capture is in flight; the capture ends within seconds.
export const CANNOT_CANCEL = {
  final: (status: FinalStatus) =>
    failure(409, `Invoice cannot be cancelled: it is already ${status}`),
  beingPaid: failure(409, 'Invoice cannot be cancelled: a payment is being completed'),
};
export const CANNOT_EXPIRE = {
  final: (status: FinalStatus) =>
    failure(409, `Invoice cannot be expired: it is already ${status}`),
  beingPaid: failure(409, 'Invoice cannot be expired: a payment is being completed'),
};
export const CANNOT_PAY = {
  final: (status: FinalStatus) => failure(409, `Invoice cannot be paid: it is already ${status}`),
  beingPaid: failure(409, 'Invoice cannot be paid: a payment is being completed'),
  triedTooOften: failure(409, 'Invoice cannot be paid: too many attempts were made'),
};

/** 409 for a refund that cannot be. */
export const refusedRefund = ({ message }: GatewayError): Answer => failure(409, message);

export const NO_CALLBACK = failure(404, 'Invoice has no callback yet');
export const CALLBACK_IN_FLIGHT = failure(409, 'The callback is being sent at this moment');
export const NOT_WAITING = failure(404, 'No callback waits for this answer');
export const LISTENER_REPLACED = failure(409, 'Another listener has taken over');
