import type { ServerResponse } from 'node:http';
import { metrics } from '../observability/metrics.ts';

const AREA = /^\/(?:(pay|dashboard|operator|docs)|api\/(trpc|auth|inngest))(?:\/|$)/;

/**
 * `other` is the rest, with all that anybody can make up. What else stands below `/api/` is null: its
 * callers are programs, and a 503 of `/api/health` is an answer. So are scripts and styles, which are
 * no pages.
 */
function areaOf(path: string): string | null {
  const [, page, call] = AREA.exec(path) ?? [];
  return page ?? call ?? (/^\/(?:api|_next\/static)\//.test(path) ? null : 'other');
}

/**
 * Counts a page, and how long it takes until all of it is sent. Whoever leaves before its head is made
 * is not counted: no status was told.
 *
 * @param path without its query
 */
export function timePage(path: string, response: ServerResponse): void {
  const area = areaOf(path);
  if (area === null) return;
  const startMs = performance.now();
  response.once('close', () => {
    if (!response.headersSent) return;
    const labels = { area, status: String(response.statusCode) };
    metrics().pages.observe(labels, (performance.now() - startMs) / 1000);
  });
}
