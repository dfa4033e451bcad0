import type { InvoiceStatus, ValidationItem } from './contract.ts';
import { printable } from './printable.ts';

/** The kinds of errors: `switch (error.code)` covers all of them. */
export type GatewayErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'invalid_request'
  | 'not_found'
  | 'duplicate_transaction'
  | 'conflict'
  | 'too_large'
  | 'broken_request'
  | 'rate_limited'
  | 'server_error'
  | 'unreachable'
  | 'unexpected_answer'
  | 'not_genuine';

/** Details of the answer behind an error. */
export type AnswerDetails = {
  /** The HTTP status; null when there was no answer. */
  httpStatus: number | null;
  /** The gateway's id of the request, for its logs and support; null when there was no answer. */
  requestId: string | null;
};

const NO_ANSWER: AnswerDetails = { httpStatus: null, requestId: null };

/** The base of all errors of this client. */
export abstract class GatewayError extends Error {
  abstract readonly code: GatewayErrorCode;
  readonly httpStatus: number | null;
  readonly requestId: string | null;

  constructor(message: string, answer: AnswerDetails = NO_ANSWER, options?: ErrorOptions) {
    // The other side wrote part of it, and it ends up in logs and on terminals.
    super(printable(message), options);
    this.name = new.target.name;
    this.httpStatus = answer.httpStatus;
    this.requestId = answer.requestId;
  }
}

/** 401: the token is missing, wrong, deactivated, another merchant's or environment's. */
export class UnauthorizedError extends GatewayError {
  readonly code = 'unauthorized';
}

/** 403: the token lacks the scope of this call, or does not work from this address. */
export class ForbiddenError extends GatewayError {
  readonly code = 'forbidden';
}

/** 422: the request is invalid; contains all of its faults at once. */
export class InvalidRequestError extends GatewayError {
  readonly code = 'invalid_request';
  readonly faults: readonly ValidationItem[];

  constructor(faults: readonly ValidationItem[], answer: AnswerDetails) {
    const lines = faults.map(({ loc, msg }) => `${loc.slice(1).join('.') || loc[0]}: ${msg}`);
    super(lines.join('; ') || 'The request is not valid', answer);
    this.faults = faults;
  }

  /** The faults of one field, e.g. `amount` or `positions.0.title`. */
  of(field: string): ValidationItem[] {
    return this.faults.filter(({ loc }) => loc.slice(1).join('.') === field);
  }
}

/** 404: this merchant has no such invoice in this environment (or it has no callback yet). */
export class InvoiceNotFoundError extends GatewayError {
  readonly code = 'not_found';
}

/** 409 to a create: the included invoice already has this `merchant_transaction_id`. */
export class DuplicateTransactionError extends GatewayError {
  readonly code = 'duplicate_transaction';
  /** The invoice with this `merchant_transaction_id`, in its current state. */
  readonly invoice: InvoiceStatus;

  constructor(invoice: InvoiceStatus, { cause }: { cause: ConflictError }) {
    super(cause.message, cause, { cause });
    this.invoice = invoice;
  }
}

/** Why a call cannot be carried out; `other` is a reason unknown to this version. */
export type ConflictReason =
  | 'already_paid'
  | 'already_expired'
  | 'already_canceled'
  | 'payment_in_progress'
  | 'refund_exists'
  | 'not_paid'
  | 'exceeds_refundable'
  | 'only_at_acquirer'
  | 'only_as_whole'
  | 'callback_in_flight'
  | 'other';

const CONFLICTS: [pattern: RegExp, reason: ConflictReason][] = [
  [/already PAID$/, 'already_paid'],
  [/already EXPIRED$/, 'already_expired'],
  [/already CANCELED$/, 'already_canceled'],
  [/payment is being completed$/, 'payment_in_progress'],
  [/refund_transaction_id already exists$/, 'refund_exists'],
  [/cannot be refunded: it is [A-Z]+$/, 'not_paid'],
  [/exceeds the refundable amount: \d+$/, 'exceeds_refundable'],
  [/refunded only at the acquirer: /, 'only_at_acquirer'],
  [/refunded only as a whole: /, 'only_as_whole'],
  [/callback is being sent at this moment$/, 'callback_in_flight'],
];

/** 409 to anything but a create: the state of the invoice does not allow it, or a refund's id is taken. */
export class ConflictError extends GatewayError {
  readonly code = 'conflict';
  readonly reason: ConflictReason;

  constructor(message: string, answer: AnswerDetails) {
    super(message, answer);
    this.reason = CONFLICTS.find(([pattern]) => pattern.test(message))?.[1] ?? 'other';
  }
}

/** 413 and 431: the body, or the address and the headers, are larger than the gateway accepts. */
export class RequestTooLargeError extends GatewayError {
  readonly code = 'too_large';
}

/**
 * 400 and 408: the request arrived damaged, or too late. Nothing was done; a 408 has been retried.
 */
export class BrokenRequestError extends GatewayError {
  readonly code = 'broken_request';
}

/** 429, after all attempts: too many requests with this token, or for a proxy on the way. */
export class RateLimitedError extends GatewayError {
  readonly code = 'rate_limited';
  /** How long to wait; null when the answer did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null, answer: AnswerDetails) {
    super(message, answer);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 500 or 503, after all attempts. */
export class ServerError extends GatewayError {
  readonly code = 'server_error';
}

/**
 * No answer came, after all attempts: the request may or may not have taken effect. The same call
 * with the same `idempotencyKey` is safe; `readStatus({ merchantTransactionId })` shows the result.
 */
export class UnreachableError extends GatewayError {
  readonly code = 'unreachable';
  readonly reason: 'timeout' | 'network';

  constructor(message: string, reason: 'timeout' | 'network', options?: ErrorOptions) {
    super(message, NO_ANSWER, options);
    this.reason = reason;
  }
}

/** An answer that is not the gateway's: a proxy's page, another server, a wrong `baseUrl`. */
export class UnexpectedAnswerError extends GatewayError {
  readonly code = 'unexpected_answer';
}

/** Why a callback is not genuine. */
export type CallbackFault =
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_wrong'
  | 'body_malformed';

/** The gateway did not send this callback in this form: answer 401 and do nothing. */
export class CallbackNotGenuineError extends GatewayError {
  readonly code = 'not_genuine';
  readonly fault: CallbackFault;

  constructor(message: string, fault: CallbackFault) {
    super(message);
    this.fault = fault;
  }
}
