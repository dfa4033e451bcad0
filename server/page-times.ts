import type { ServerResponse } from 'node:http';
import { metrics } from './lib/metrics.ts';

// The rest, with all that anybody can make up, is `other`.
const AREA = /^\/(?:(pay|dashboard|operator|docs)|api\/(trpc|auth|inngest))(?:\/|$)/;

function areaOf(path: string): string {
  const [, page, call] = AREA.exec(path) ?? [];
  return page ?? call ?? 'other';
}

/**
 * Counts a page, and how long it takes until all of it is sent. Whoever leaves before its head is made
 * is not counted: no status was told.
 *
 * @param path without its query
 */
export function timePage(path: string, response: ServerResponse): void {
  const startMs = performance.now();
  response.once('close', () => {
    if (!response.headersSent) return;
    const labels = { area: areaOf(path), status: String(response.statusCode) };
    metrics().pages.observe(labels, (performance.now() - startMs) / 1000);
  });
}
