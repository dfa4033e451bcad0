import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { successResponse } from '../wire/error-responses.ts';
import { refundRequest } from '../wire/refund-requests.ts';
import { refundList, refundView } from '../wire/refund-responses.ts';
import {
  envelopeExample,
  invalidQueryExample,
  invalidRefundExample,
  refundExample,
  refundedExample,
  refundListExample,
} from './openapi-examples.ts';
import {
  BODY_TOO_LARGE,
  commonFailures,
  INVOICE_UNKNOWN,
  idempotencyKeyParameter,
  jsonRequest,
  jsonResponse,
  REFUND_CONFLICT,
  requestIdParameter,
} from './openapi-responses.ts';

export const REFUNDS_TAG = 'Refunds';

const refund: ZodOpenApiOperationObject = {
  operationId: 'refundInvoice',
  summary: 'Refund a paid invoice in full or in part',
  description:
    'The invoice stays PAID, and no callback is sent. The token needs the scope refunds.write. If the acquirer has not answered yet, the answer is a 200 with status 1.',
  tags: [REFUNDS_TAG],
  parameters: [requestIdParameter, idempotencyKeyParameter],
  requestBody: jsonRequest(refundRequest, refundExample),
  responses: {
    '200': jsonResponse('Refunded, or in progress', successResponse(refundView, 'RefundResponse'), {
      succeeded: { value: envelopeExample(refundedExample) },
      pending: { value: envelopeExample({ ...refundedExample, status: 1 }) },
      failed: {
        value: envelopeExample({
          ...refundedExample,
          status: 3,
          failure_reason: 'insufficient_funds',
        }),
      },
    }),
    '404': INVOICE_UNKNOWN,
    '409': REFUND_CONFLICT,
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidRefundExample),
  },
};

const refunds: ZodOpenApiOperationObject = {
  operationId: 'listRefunds',
  summary: 'List the refunds of an invoice',
  tags: [REFUNDS_TAG],
  parameters: [
    requestIdParameter,
    {
      in: 'query',
      name: 'invoice_id',
      description: 'From the answer to the create',
      required: true,
      schema: { type: 'string', minLength: 1 },
    },
  ],
  responses: {
    '200': jsonResponse('The refunds', successResponse(refundList, 'RefundListResponse'), {
      refunds: { value: envelopeExample(refundListExample) },
    }),
    '404': INVOICE_UNKNOWN,
    ...commonFailures('GET', invalidQueryExample),
  },
};

/** The paths of refunds. */
export const refundPaths: ZodOpenApiPathsObject = {
  '/invoice/refund': { post: refund },
  '/invoice/refunds': { get: refunds },
};
