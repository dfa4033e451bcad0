import { createServer, type Server } from 'node:http';

/** Longer than a load balancer's usual minute, so that the balancer closes first. */
const KEEP_ALIVE_MS = 65_000;
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/**
 * A connection is cut off after this long without a byte either way; by default Node waits forever
 * for a reader that takes nothing. Longer than any answer takes to begin, and than a download may
 * pause.
 */
const SILENT_MS = 180_000;
/** Node's default of half a minute would stretch these limits by as much. */
const CHECK_EVERY_MS = 1_000;
/** Limits the request line and all headers together; a long id in a query fits, and gets a 404. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** A server that waits for slow callers no longer than these limits. */
export function createHttpServer(): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_EVERY_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  server.timeout = SILENT_MS;
  return server;
}
