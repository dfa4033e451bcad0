import { type Environment, isEnvironment } from '../merchants/types.ts';
import { answerCallbackEndpoint } from './endpoints/answer-callback.ts';
import { cancelInvoiceEndpoint } from './endpoints/cancel-invoice.ts';
import { createInvoiceEndpoint } from './endpoints/create-invoice.ts';
import { listEventsEndpoint } from './endpoints/list-events.ts';
import { listInvoicesEndpoint } from './endpoints/list-invoices.ts';
import { listRefundsEndpoint } from './endpoints/list-refunds.ts';
import { listenEndpoint } from './endpoints/listen.ts';
import { readDetailsEndpoint } from './endpoints/read-details.ts';
import { readStatusEndpoint } from './endpoints/read-status.ts';
import { refundInvoiceEndpoint } from './endpoints/refund-invoice.ts';
import { resendCallbackEndpoint, testResendEndpoint } from './endpoints/resend-callback.ts';
import { testExpireEndpoint } from './endpoints/test-expire.ts';
import { testPayEndpoint } from './endpoints/test-pay.ts';
import type { Endpoint } from './types.ts';

/** By the path after `/api/{environment}`. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([
  ['/invoice/create', createInvoiceEndpoint],
  ['/invoice/status', readStatusEndpoint],
  ['/invoice/cancel', cancelInvoiceEndpoint],
  ['/invoice/details', readDetailsEndpoint],
  ['/invoice/list', listInvoicesEndpoint],
  ['/event/list', listEventsEndpoint],
  ['/invoice/refund', refundInvoiceEndpoint],
  ['/invoice/refunds', listRefundsEndpoint],
  ['/callback/resend', resendCallbackEndpoint],
  ['/test/invoice/pay', testPayEndpoint],
  ['/test/invoice/expire', testExpireEndpoint],
  ['/test/callback/resend', testResendEndpoint],
  ['/test/callback/listen', listenEndpoint],
  ['/test/callback/answer', answerCallbackEndpoint],
]);

const PREFIX = '/api/';

/** `name` is the key in `ENDPOINTS`. */
export type Route = { environment: Environment; name: string; endpoint: Endpoint };

/** The endpoint at a path, or null: an unknown environment has none. */
export function findRoute(path: string): Route | null {
  if (!path.startsWith(PREFIX)) return null;
  const end = path.indexOf('/', PREFIX.length);
  if (end < 0) return null;
  const environment = path.slice(PREFIX.length, end);
  if (!isEnvironment(environment)) return null;
  const name = path.slice(end);
  const endpoint = ENDPOINTS.get(name);
  if (endpoint === undefined) return null;
  if (endpoint.sandboxOnly && environment !== 'sandbox') return null;
  return { environment, name, endpoint };
}

/** The endpoint and environment that a path is counted under, or null when there is none. */
export function routeLabelsOf(path: string): { route: string; environment: Environment } | null {
  const found = findRoute(path);
  if (found === null) return null;
  const { environment, name } = found;
  return { environment, route: name };
}
