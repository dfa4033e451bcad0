import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { processWide } from '../lib/process-wide.ts';

const responses = processWide('page-responses', () => new AsyncLocalStorage<ServerResponse>());

/** Runs what renders a page into `response`, whose status the page can then settle. */
export function forPage(response: ServerResponse, render: () => Promise<void>): Promise<void> {
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
