import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import {
  CALLBACK_IN_FLIGHT,
  INVOICE_NOT_FOUND,
  LISTENER_REPLACED,
  NO_CALLBACK,
  NOT_WAITING,
} from '../rest/answers.ts';
import { successResponse } from '../wire/error-responses.ts';
import { invoiceIdRequest } from '../wire/invoice-requests.ts';
import {
  forwardAnswerRequest,
  listenAnswer,
  listenRequest,
  resendAnswer,
  verdict,
} from '../wire/listen.ts';
import {
  callbackExample,
  envelopeExample,
  idExample,
  invalidBodyIdExample,
} from './openapi-examples.ts';
import {
  BODY_TOO_LARGE,
  commonFailures,
  errorFrom,
  jsonRequest,
  jsonResponse,
  requestIdParameter,
} from './openapi-responses.ts';

/** The tag of the endpoints for tools. */
export const LISTENING_TAG = 'Listening';

const FORWARD_ID = 'fwd_7Yk2';
const listenExample = { listener_id: 'laptop-1', step: 'go_on' };
const forwardExample = {
  forward_id: FORWARD_ID,
  ...idExample,
  attempt: 1,
  url: 'https://shop.example/gateway/callback',
  headers: [{ name: 'webhook-id', value: 'msg_01kb0k2v9rx5d8c3q7m1n4p6s0t2v5w8y1z' }],
  body: JSON.stringify(callbackExample),
};
const answerExample = {
  forward_id: FORWARD_ID,
  duration_ms: 12,
  http_status: 500,
  body_base64: '',
};
const verdictExample = {
  attempt: 1,
  delivered: false,
  reason: 'answered 500, not 200',
  next_attempt_in_ms: 5_000,
};

const missing = (field: string) => ({
  detail: [{ loc: ['body', field], msg: 'Field required', type: 'missing' }],
});

const listen: ZodOpenApiOperationObject = {
  operationId: 'listenForCallbacks',
  summary: 'Receive sandbox callbacks in place of their addresses (sandbox only)',
  description:
    'For tools on a developer’s machine, such as `gateway listen`. It answers when there is a callback, or after a few seconds.',
  tags: [LISTENING_TAG],
  parameters: [requestIdParameter],
  requestBody: jsonRequest(listenRequest, listenExample),
  responses: {
    '200': jsonResponse(
      'What is to be forwarded',
      successResponse(listenAnswer, 'ListenResponse'),
      {
        one: {
          value: envelopeExample({
            listening_until: 1_767_225_612_000,
            callbacks: [forwardExample],
          }),
        },
      },
    ),
    '409': errorFrom('Replaced', { replaced: LISTENER_REPLACED }),
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', missing('listener_id')),
  },
};

const answer: ZodOpenApiOperationObject = {
  operationId: 'answerForwardedCallback',
  summary: 'Report the answer to a forwarded callback (sandbox only)',
  description:
    'It becomes the result of the attempt, retries included. The verdict follows the contract.',
  tags: [LISTENING_TAG],
  parameters: [requestIdParameter],
  requestBody: jsonRequest(forwardAnswerRequest, answerExample),
  responses: {
    '200': jsonResponse('The verdict', successResponse(verdict, 'CallbackVerdictResponse'), {
      failed: { value: envelopeExample(verdictExample) },
    }),
    '404': errorFrom('Too late, or answered before', {
      not_waiting: NOT_WAITING,
    }),
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', missing('forward_id')),
  },
};

const RESENT: Pick<ZodOpenApiOperationObject, 'parameters' | 'requestBody' | 'responses'> = {
  parameters: [requestIdParameter],
  requestBody: jsonRequest(invoiceIdRequest, idExample),
  responses: {
    '200': jsonResponse('It will be sent now', successResponse(resendAnswer, 'ResendResponse'), {
      due: { value: envelopeExample(idExample) },
    }),
    '404': errorFrom('No such invoice, or its status has not changed yet', {
      not_found: INVOICE_NOT_FOUND,
      no_callback: NO_CALLBACK,
    }),
    '409': errorFrom('An attempt is in progress', {
      in_flight: CALLBACK_IN_FLIGHT,
    }),
    '413': BODY_TOO_LARGE,
    ...commonFailures('POST', invalidBodyIdExample),
  },
};

/** Described beside what reads invoices, for both environments. */
export const resend: ZodOpenApiOperationObject = {
  operationId: 'resendCallback',
  summary: 'Resend the callback of an invoice',
  description:
    'The callback is sent again at once, whatever its state; its webhook-id stays the same. The token needs the scope callbacks.write.',
  tags: ['Invoices'],
  ...RESENT,
};

const testResend: ZodOpenApiOperationObject = {
  operationId: 'testResendCallback',
  summary: 'Resend the callback of an invoice (sandbox only)',
  description: 'The same as POST /callback/resend, for a token with the scope sandbox.',
  tags: ['Sandbox'],
  ...RESENT,
};

/** The paths for listening, in the sandbox only. */
export function listeningPaths(servers: { url: string }[]): ZodOpenApiPathsObject {
  return {
    '/test/callback/resend': { servers, post: testResend },
    '/test/callback/listen': { servers, post: listen },
    '/test/callback/answer': { servers, post: answer },
  };
}
