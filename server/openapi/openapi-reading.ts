import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { STATUS_CODES } from '../invoices/types.ts';
import { CURRENCIES } from '../lib/money.ts';
import { successResponse } from '../wire/error-responses.ts';
import { EVENT_PAGE, eventList } from '../wire/event-list.ts';
import { invoiceDetails, invoiceList } from '../wire/invoice-records.ts';
import { BAD_CURSOR, INVOICE_PAGE } from '../wire/list-query.ts';
import { faultAt } from '../wire/validation.ts';
import {
  envelopeExample,
  eventsExample,
  invalidQueryExample,
  recordExample,
} from './openapi-examples.ts';
import {
  commonFailures,
  INVOICE_UNKNOWN,
  jsonResponse,
  queryParameter,
  referenceParameters,
  requestIdParameter,
} from './openapi-responses.ts';

const callback = { state: 'pending', attempts: 0, next_attempt_at: recordExample.updated_at };

const details: ZodOpenApiOperationObject = {
  operationId: 'readInvoiceDetails',
  summary: 'Read all details of an invoice',
  description:
    'Everything given at creation, its outcome, and the state of its callback. Give invoice_id or merchant_transaction_id: one of them, not both.',
  tags: ['Invoices'],
  parameters: [requestIdParameter, ...referenceParameters],
  responses: {
    '200': jsonResponse('The invoice', successResponse(invoiceDetails, 'InvoiceDetailsResponse'), {
      paid: { value: envelopeExample({ ...recordExample, callback }) },
      pending: {
        value: envelopeExample({
          ...recordExample,
          status: 1,
          updated_at: recordExample.created_at,
          extra_data: {},
          callback: null,
        }),
      },
    }),
    '404': INVOICE_UNKNOWN,
    ...commonFailures('GET', invalidQueryExample),
  },
};

const time = (name: string, description: string) =>
  queryParameter(name, `${description}, UTC, milliseconds`, { type: 'integer', minimum: 0 });

const list: ZodOpenApiOperationObject = {
  operationId: 'listInvoices',
  summary: 'List invoices',
  description:
    'Newest first; with paid_from or paid_to, which match only PAID invoices, the most recently paid first. Repeat the same filters with each next_cursor: every invoice that existed at the first call is then listed once, whatever is created meanwhile.',
  tags: ['Invoices'],
  parameters: [
    requestIdParameter,
    queryParameter('status', '1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED', {
      type: 'integer',
      enum: Object.values(STATUS_CODES),
    }),
    queryParameter('currency', 'ISO 4217', { type: 'string', enum: [...CURRENCIES] }),
    time('created_from', 'Created then or later'),
    time('created_to', 'Created before'),
    time('paid_from', 'Paid then or later'),
    time('paid_to', 'Paid before'),
    queryParameter('limit', `How many at most; ${INVOICE_PAGE.preset} if left out`, {
      type: 'integer',
      minimum: 1,
      maximum: INVOICE_PAGE.most,
    }),
    queryParameter('cursor', 'next_cursor of the page before', { type: 'string', minLength: 1 }),
  ],
  responses: {
    '200': jsonResponse('A page', successResponse(invoiceList, 'InvoiceListResponse'), {
      last: { value: envelopeExample({ invoices: [recordExample], next_cursor: null }) },
    }),
    ...commonFailures('GET', { detail: [faultAt(['query', 'cursor'], BAD_CURSOR)] }),
  },
};

const events: ZodOpenApiOperationObject = {
  operationId: 'listEvents',
  summary: 'List events',
  description:
    'Oldest first, for at least 90 days. Nothing is ever inserted before what you have read: a program that keeps next_cursor and sends it as after misses nothing, however long it was away.',
  tags: ['Events'],
  parameters: [
    requestIdParameter,
    queryParameter('after', 'next_cursor of the answer before; left out, the beginning', {
      type: 'string',
      minLength: 1,
    }),
    queryParameter('limit', `How many at most; ${EVENT_PAGE.preset} if left out`, {
      type: 'integer',
      minimum: 1,
      maximum: EVENT_PAGE.most,
    }),
  ],
  responses: {
    '200': jsonResponse('Events', successResponse(eventList, 'EventListResponse'), {
      paid: { value: envelopeExample(eventsExample) },
    }),
    ...commonFailures('GET', { detail: [faultAt(['query', 'after'], BAD_CURSOR)] }),
  },
};

/** The paths of what reads invoices. */
export const readingPaths: ZodOpenApiPathsObject = {
  '/invoice/details': { get: details },
  '/invoice/list': { get: list },
  '/event/list': { get: events },
};
