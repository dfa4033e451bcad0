import type { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { GatewayError } from '../lib/errors.ts';
import {
  BUSY,
  CANNOT_CANCEL,
  CANNOT_EXPIRE,
  CANNOT_PAY,
  DUPLICATE,
  FORBIDDEN,
  INTERNAL_ERROR,
  INVOICE_NOT_FOUND,
  methodNotAllowed,
  refusedRefund,
  TOO_LARGE,
  tooManyRequests,
  UNAUTHORIZED,
} from '../rest/answers.ts';
import type { Answer } from '../rest/types.ts';
import { errorResponse, validationErrorResponse } from '../wire/error-responses.ts';

const requestId = {
  'X-Request-Id': {
    description:
      "The caller's X-Request-Id if it sent a valid one, otherwise the gateway's; quote it when you ask about a request",
    schema: { type: 'string' as const },
  },
};

/** The header that every operation takes. */
export const requestIdParameter = {
  in: 'header' as const,
  name: 'X-Request-Id',
  description:
    'Returned in the answer and written to the logs; one in another form is not an error, but is replaced by ours',
  schema: { type: 'string' as const, pattern: '^[A-Za-z0-9._-]{1,128}$' },
};

/** The header of a request that may be repeated. */
export const idempotencyKeyParameter = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  description:
    'A repeat with the same key and values within 24 hours gets the first answer, byte for byte; the same key with different values gets a 422. Without a key, a repeat gets a 409.',
  schema: {
    type: 'string' as const,
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x20-\\x7e]+$',
  },
};

/** A parameter of a query that may be left out. */
export const queryParameter = (
  name: string,
  description: string,
  schema: {
    type: 'string' | 'integer';
    minLength?: number;
    minimum?: number;
    maximum?: number;
    enum?: (string | number)[];
  },
) => ({ in: 'query' as const, name, description, schema });

/** The two names of an invoice, of which a query has one. */
export const referenceParameters = [
  queryParameter('invoice_id', 'From the answer to the create', { type: 'string', minLength: 1 }),
  queryParameter(
    'merchant_transaction_id',
    'Instead of invoice_id, when the answer to the create was lost',
    { type: 'string', minLength: 1 },
  ),
];

type Examples = { [name: string]: { summary?: string; value: unknown } };

/** The JSON body that a request must have, with an example. */
export const jsonRequest = (schema: z.ZodType, example: object) => ({
  required: true,
  content: { 'application/json': { schema, example } },
});

/** A JSON answer with examples. */
export function jsonResponse(
  description: string,
  schema: z.ZodType,
  examples: Examples,
): ZodOpenApiResponseObject {
  return {
    description,
    headers: requestId,
    content: { 'application/json': { schema, examples } },
  };
}

/** A failure in the envelope with an example of each case. */
export function errorFrom(
  description: string,
  answers: { [name: string]: Answer },
  headers: ZodOpenApiResponseObject['headers'] = {},
): ZodOpenApiResponseObject {
  const examples: Examples = {};
  for (const [name, answer] of Object.entries(answers)) {
    examples[name] = { value: JSON.parse(String(answer.body)) };
  }
  const response = jsonResponse(description, errorResponse, examples);
  return { ...response, headers: { ...requestId, ...headers } };
}

export const CREATE_CONFLICT = errorFrom('The merchant_transaction_id was used before', {
  duplicate: DUPLICATE,
});

export const CANCEL_CONFLICT = errorFrom(
  'The invoice is PAID or EXPIRED, or its payment is being captured',
  {
    paid: CANNOT_CANCEL.final('PAID'),
    expired: CANNOT_CANCEL.final('EXPIRED'),
    payment_in_progress: CANNOT_CANCEL.beingPaid,
  },
);

export const TEST_PAY_CONFLICT = errorFrom(
  'The invoice has its final status, is being paid, or has had too many attempts',
  {
    final: CANNOT_PAY.final('CANCELED'),
    payment_in_progress: CANNOT_PAY.beingPaid,
    too_many_attempts: CANNOT_PAY.triedTooOften,
  },
);

export const TEST_EXPIRE_CONFLICT = errorFrom(
  'The invoice is PAID or CANCELED, or its payment is being captured',
  {
    final: CANNOT_EXPIRE.final('CANCELED'),
    payment_in_progress: CANNOT_EXPIRE.beingPaid,
  },
);

export const REFUND_CONFLICT = errorFrom(
  'The refund_transaction_id was used before; the invoice is not PAID; less than that is left of the payment; or its acquirer cannot refund it',
  {
    duplicate: refusedRefund(new GatewayError('refund_exists')),
    not_paid: refusedRefund(new GatewayError('refund_not_paid', { status: 'PENDING' })),
    too_much: refusedRefund(new GatewayError('refund_too_much', { left: 1500 })),
    only_at_the_acquirer: refusedRefund(new GatewayError('refund_outside', { acquirer: 'Payme' })),
    only_as_a_whole: refusedRefund(new GatewayError('refund_whole', { acquirer: 'Click' })),
  },
);

export const INVOICE_UNKNOWN = errorFrom('No such invoice of this merchant in this environment', {
  not_found: INVOICE_NOT_FOUND,
});

export const BODY_TOO_LARGE = errorFrom('The body is larger than 256 KiB', {
  too_large: TOO_LARGE,
});

/** The failures of every endpoint; `faults` is an example of its 422. */
export function commonFailures(method: 'GET' | 'POST', faults: object): ZodOpenApiResponsesObject {
  return {
    '401': errorFrom(
      'Token missing, wrong, expired, deactivated or of another environment; X-Merchant is not the token’s merchant; or the merchant is suspended',
      {
        unauthorized: UNAUTHORIZED,
      },
    ),
    '403': errorFrom(
      'The token lacks the scope that this endpoint needs, or is not allowed from this address',
      {
        forbidden: FORBIDDEN,
      },
    ),
    '405': errorFrom(
      'Wrong method',
      { method_not_allowed: methodNotAllowed(method) },
      { Allow: { description: 'The allowed method', schema: { type: 'string' } } },
    ),
    '422': jsonResponse(
      'The request is invalid: lists every problem with it',
      validationErrorResponse,
      {
        faults: { value: faults },
      },
    ),
    '429': errorFrom(
      'Too many requests with this token, or failed authentications from this address',
      { too_many: tooManyRequests(1000) },
      { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
    ),
    '500': errorFrom('Internal error: retry with exponential back-off', {
      internal: INTERNAL_ERROR,
    }),
    '503': errorFrom(
      'Too many requests are waiting, this one has waited ten seconds in vain, or one of our clocks is wrong: nothing was done, retry in a moment',
      { busy: BUSY },
      { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
    ),
  };
}

const signatureHeader = (name: string, description: string) => ({
  in: 'header' as const,
  name,
  description,
  required: true,
  schema: { type: 'string' as const },
});

/** The headers of what the gateway sends to a merchant. */
export const signatureHeaders = (webhookId: string) => [
  signatureHeader('webhook-id', webhookId),
  signatureHeader('webhook-timestamp', 'Seconds since 1970, of this attempt'),
  signatureHeader(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over id.timestamp.body; two, separated by a space, while a secret is rotated',
  ),
];
