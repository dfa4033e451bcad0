import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverrideContext,
} from 'zod-openapi';
import { SANDBOX_OUTCOMES } from '../payments/providers/sandbox/test-cards.ts';
import { sandboxPayRequest } from '../rest/endpoints/test-pay.ts';
import { invoiceCallbackRequest, invoiceCallbackResponse } from '../wire/callback.ts';
import { createInvoiceRequest } from '../wire/create-request.ts';
import { successResponse } from '../wire/error-responses.ts';
import { invoiceIdRequest } from '../wire/invoice-requests.ts';
import { createdInvoice, invoiceStatus, testPayment } from '../wire/invoice-responses.ts';
import { eventWebhooks } from './openapi-events.ts';
import {
  callbackExample,
  createdExample,
  createExample,
  envelopeExample,
  idExample,
  invalidBodyIdExample,
  invalidCreateExample,
  invalidQueryExample,
  statusExample,
} from './openapi-examples.ts';
import { LISTENING_TAG, listeningPaths, resend } from './openapi-listen.ts';
import { readingPaths } from './openapi-reading.ts';
import { REFUNDS_TAG, refundPaths } from './openapi-refunds.ts';
import {
  BODY_TOO_LARGE,
  CANCEL_CONFLICT,
  CREATE_CONFLICT,
  commonFailures,
  INVOICE_UNKNOWN,
  idempotencyKeyParameter,
  jsonRequest,
  jsonResponse,
  referenceParameters,
  requestIdParameter,
  signatureHeaders,
  TEST_EXPIRE_CONFLICT,
  TEST_PAY_CONFLICT,
} from './openapi-responses.ts';

const createdResponse = successResponse(createdInvoice, 'InvoiceCreateResponse');
const statusResponse = successResponse(invoiceStatus, 'InvoiceStatusResponse');
const testPayResponse = successResponse(testPayment, 'TestPayResponse');

const create: ZodOpenApiOperationObject = {
  operationId: 'createInvoice',
  summary: 'Create an invoice',
  tags: ['Invoices'],
  parameters: [requestIdParameter, idempotencyKeyParameter],
  requestBody: jsonRequest(createInvoiceRequest, createExample),
  responses: {
    '200': jsonResponse('Created', createdResponse, {
      created: { value: envelopeExample(createdExample) },
    }),
    '409': CREATE_CONFLICT,
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidCreateExample),
  },
};

const status: ZodOpenApiOperationObject = {
  operationId: 'readInvoiceStatus',
  summary: 'Read the status of an invoice',
  description: 'Give invoice_id or merchant_transaction_id: one of them, not both.',
  tags: ['Invoices'],
  parameters: [requestIdParameter, ...referenceParameters],
  responses: {
    '200': jsonResponse('The status', statusResponse, {
      paid: { value: envelopeExample(statusExample(2)) },
    }),
    '404': INVOICE_UNKNOWN,
    ...commonFailures('GET', invalidQueryExample),
  },
};

const cancel: ZodOpenApiOperationObject = {
  operationId: 'cancelInvoice',
  summary: 'Cancel an unpaid invoice',
  description: 'Cannot be undone. Repeating it on a cancelled invoice answers 200 again.',
  tags: ['Invoices'],
  parameters: [requestIdParameter],
  requestBody: jsonRequest(invoiceIdRequest, idExample),
  responses: {
    '200': jsonResponse('Cancelled', statusResponse, {
      canceled: { value: envelopeExample(statusExample(4)) },
    }),
    '404': INVOICE_UNKNOWN,
    '409': CANCEL_CONFLICT,
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidBodyIdExample),
  },
};

const testPay: ZodOpenApiOperationObject = {
  operationId: 'testPayInvoice',
  summary: 'Pay an invoice as a test card would (sandbox only)',
  description: `Outcomes: ${SANDBOX_OUTCOMES.join(', ')}. A decline is a 200 with the invoice still PENDING and the reason in decline_reason. slow_approved answers after 5 seconds, before the acquirer does, with status 1 and a decline_reason of null.`,
  tags: ['Sandbox'],
  parameters: [requestIdParameter],
  requestBody: jsonRequest(sandboxPayRequest, {
    ...idExample,
    outcome: 'insufficient_funds',
  }),
  responses: {
    '200': jsonResponse('Paid, declined, or still being processed', testPayResponse, {
      paid: { value: envelopeExample({ ...statusExample(2), decline_reason: null }) },
      declined: {
        value: envelopeExample({ ...statusExample(1), decline_reason: 'insufficient_funds' }),
      },
      processing: { value: envelopeExample({ ...statusExample(1), decline_reason: null }) },
    }),
    '404': INVOICE_UNKNOWN,
    '409': TEST_PAY_CONFLICT,
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidBodyIdExample),
  },
};

const testExpire: ZodOpenApiOperationObject = {
  operationId: 'testExpireInvoice',
  summary: 'Expire an invoice early (sandbox only)',
  description:
    'Its end_date does not change. Repeating it on an expired invoice answers 200 again.',
  tags: ['Sandbox'],
  parameters: [requestIdParameter],
  requestBody: jsonRequest(invoiceIdRequest, idExample),
  responses: {
    '200': jsonResponse('Expired', statusResponse, {
      expired: { value: envelopeExample(statusExample(3)) },
    }),
    '404': INVOICE_UNKNOWN,
    '409': TEST_EXPIRE_CONFLICT,
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidBodyIdExample),
  },
};

const callback: ZodOpenApiOperationObject = {
  operationId: 'invoiceCallback',
  summary: 'The status of an invoice has changed',
  description:
    'POSTed to the callback_url of the invoice; the reference contract calls it POST /invoice/callback. It counts as delivered with HTTP 200 and a JSON body whose success is true, within 10 seconds; otherwise it is retried: up to 11 attempts in all over 75 h 35 min.',
  tags: ['Callback'],
  security: [],
  parameters: signatureHeaders('The same on every attempt: the key for idempotent handling'),
  requestBody: jsonRequest(invoiceCallbackRequest, callbackExample),
  responses: {
    '200': {
      description: 'Received',
      content: {
        'application/json': { schema: invoiceCallbackResponse, example: { success: true } },
      },
    },
  },
};

/**
 * zod closes each object of an answer to further fields. Ours may get new ones, and a merchant's
 * answer to a callback may have others beside `success`.
 */
function allowMoreFields({ jsonSchema }: ZodOpenApiOverrideContext): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function makeDocument(publicUrl: string) {
  const sandboxOnly = [{ url: `${publicUrl}/api/sandbox`, description: 'Sandbox' }];
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Merchant Payment Gateway API',
      version: '1.0.0',
      description:
        'Create, read, cancel and refund invoices, and receive callbacks. Amounts are integers in minor units; timestamps are UTC milliseconds.',
    },
    servers: [...sandboxOnly, { url: `${publicUrl}/api/production`, description: 'Production' }],
    security: [{ bearerToken: [], merchant: [] }],
    tags: [
      { name: 'Invoices' },
      { name: REFUNDS_TAG },
      { name: 'Events' },
      { name: 'Sandbox', description: 'Control the sandbox from your tests' },
      { name: LISTENING_TAG, description: 'What `gateway listen` says to the sandbox' },
      { name: 'Callback', description: 'What the gateway sends to a merchant' },
    ],
    paths: {
      '/invoice/create': { post: create },
      '/invoice/status': { get: status },
      '/invoice/cancel': { post: cancel },
      ...readingPaths,
      ...refundPaths,
      '/callback/resend': { post: resend },
      '/test/invoice/pay': { servers: sandboxOnly, post: testPay },
      '/test/invoice/expire': { servers: sandboxOnly, post: testExpire },
      ...listeningPaths(sandboxOnly),
    },
    webhooks: { invoiceCallback: { post: callback }, ...eventWebhooks },
    components: {
      securitySchemes: {
        bearerToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API token of this merchant and environment',
        },
        merchant: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Merchant',
          description: 'The ID of the merchant that owns the token',
        },
      },
    },
  };
  return createDocument(document, { override: allowMoreFields });
}

const kept = new Map<string, ReturnType<typeof makeDocument>>();

/**
 * The OpenAPI 3.1 document of the REST API, made from the handler's validation schemas. `publicUrl`
 * has no trailing slash.
 *
 * It is made once: it takes more than ten milliseconds, and anybody may ask for it or for a
 * collection made from it; repeated requests would keep the process from payments. Do not change
 * the returned object.
 */
export function openApiDocument(publicUrl: string) {
  const known = kept.get(publicUrl);
  if (known) return known;
  const made = makeDocument(publicUrl);
  kept.set(publicUrl, made);
  return made;
}
