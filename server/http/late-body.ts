import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { processWide } from '../lib/process-wide.ts';

// What is not there so long after the answer is not waited for: the connection could not go on.
const LATE_BODY_MS = 5_000;

const lookedAfter = processWide('late-bodies', () => new WeakSet<Server>());

/** Whether it is a GET without a body, as nearly all are. */
export function hasNoBody({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/**
 * Node reads what a handler has left of a body, but not where somebody has begun to: and from Node 26
 * on a `Request`, as Next's handlers get it, begins by itself.
 */
function readRest(request: IncomingMessage): void {
  if (request.readableEnded) return;
  request.on('readable', () => {
    while (request.read() !== null);
  });
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LATE_BODY_MS);
  timer.unref();
}

/**
 * Reads what is left of a body once its request is answered, for the connection's next request comes
 * behind it; and ends the connection if it does not come: in the end Node would answer the request a
 * second time, that it was late.
 */
export function readLateBodies(server: Server): void {
  lookedAfter.add(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasNoBody(request)) response.once('finish', () => readRest(request));
  });
}

/** Of a server that is not ours to make, from its first request on. */
export function readLateBodiesOfAll(): void {
  // Node tells of a request here before the server's own listeners hear of it.
  subscribe('http.server.request.start', (message) => {
    const { server } = message as { server: Server };
    if (!lookedAfter.has(server)) readLateBodies(server);
  });
}
