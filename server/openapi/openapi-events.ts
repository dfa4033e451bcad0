import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { invoiceEvent, refundEvent } from '../wire/sent-event.ts';
import { callbackExample, eventsExample, refundedExample } from './openapi-examples.ts';
import { jsonRequest, signatureHeaders } from './openapi-responses.ts';

const DELIVERY =
  'POSTed to your address for events, where one is set and this type is chosen; never to a callback_url. Signed and retried like a callback; any 2xx counts as delivered.';

function eventOperation(
  operationId: string,
  summary: string,
  schema: typeof invoiceEvent | typeof refundEvent,
  example: object,
): ZodOpenApiOperationObject {
  return {
    operationId,
    summary,
    description: DELIVERY,
    tags: ['Callback'],
    security: [],
    parameters: signatureHeaders(
      'The same on every attempt: the key for idempotent handling, and the `event_id` of the list of events',
    ),
    requestBody: jsonRequest(schema, example),
    responses: {
      '200': {
        description: 'Received; any other 2xx counts too, and no body is needed',
        content: { 'application/json': { schema: z.unknown(), example: {} } },
      },
    },
  };
}

const [paid] = eventsExample.events;
const { created_at: _, updated_at: refundedAt, ...refund } = refundedExample;

/** The webhooks to a merchant's address for events. */
export const eventWebhooks = {
  invoiceEvent: {
    post: eventOperation('invoiceEvent', 'Something happened to an invoice', invoiceEvent, {
      type: 'callback.exhausted',
      timestamp: new Date(callbackExample.updated_at).toISOString(),
      data: { invoice_id: paid?.invoice_id, ...paid?.data },
    }),
  },
  refundEvent: {
    post: eventOperation('refundEvent', 'Something happened to a refund', refundEvent, {
      type: 'refund.succeeded',
      timestamp: new Date(refundedAt).toISOString(),
      data: { ...refund, status: 2 },
    }),
  },
};
