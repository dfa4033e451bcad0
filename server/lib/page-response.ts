import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

// Next's bundle and our own server load this file separately within one process.
const RESPONSES = Symbol.for('payment-gateway.page-responses');
const globals = globalThis as typeof globalThis & {
  [RESPONSES]?: AsyncLocalStorage<ServerResponse>;
};
globals[RESPONSES] ??= new AsyncLocalStorage();
const responses = globals[RESPONSES];

/** Runs what renders a page into `response`, whose status the page can then settle. */
export function forPage<T>(response: ServerResponse, render: () => T): T {
  return responses.run(response, render);
}

/**
 * Makes the page that is being rendered a 404, and leaves it as it is. Next's own `notFound()` sends
 * an empty page, which only a script fills.
 */
export function settleNotFound(): void {
  const response = responses.getStore();
  if (response !== undefined && !response.headersSent) response.statusCode = 404;
}
