import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { processWide } from '../lib/process-wide.ts';

const responses = processWide('page-responses', () => new AsyncLocalStorage<ServerResponse>());

/** Renders a page into `response`, whose status the page can then set. */
export function forPage(response: ServerResponse, render: () => Promise<void>): Promise<void> {
  return responses.run(response, render);
}

/**
 * Gives the page being rendered the status 404 and keeps its content. Next's own `notFound()` sends
 * an empty page, which only a script fills.
 */
export function settleNotFound(): void {
  const response = responses.getStore();
  if (response !== undefined && !response.headersSent) response.statusCode = 404;
}
