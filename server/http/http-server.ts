import { createServer, type Server } from 'node:http';

/** Longer than a load balancer's usual minute, so that it is the balancer that closes. */
const KEEP_ALIVE_MS = 65_000;
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/**
 * After so long without a byte either way a connection is cut off: by itself Node waits for ever for
 * whoever takes nothing of an answer. Longer than any answer takes to begin, and than a download may rest.
 */
const SILENT_MS = 180_000;
/** Node's own half a minute would make these limits up to so much longer. */
const CHECK_EVERY_MS = 1_000;
/** Limits the request line and all headers together; a long id in a query fits, and is a 404. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** A server that waits so long and no longer for slow callers. */
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
