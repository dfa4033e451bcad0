import type { ServerResponse } from 'node:http';
import { metrics } from '../observability/metrics.ts';

const AREA = /^\/(?:(pay|dashboard|operator|docs)|api\/(trpc|auth|inngest))(?:\/|$)/;

/**
 * `other` is the rest, including all invented paths. Other paths below `/api/` are null: their
 * callers are programs, and a 503 of `/api/health` is a regular answer. Scripts and styles are null
 * too, because they are not pages.
 */
function areaOf(path: string): string | null {
  const [, page, call] = AREA.exec(path) ?? [];
  return page ?? call ?? (/^\/(?:api|_next\/static)\//.test(path) ? null : 'other');
}

/**
 * Counts a page and the time until it is completely sent. A caller that leaves before the head is
 * made is not counted, because it got no status.
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
