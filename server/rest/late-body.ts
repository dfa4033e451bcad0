import type { IncomingMessage, ServerResponse } from 'node:http';

// What is not there so long after the answer is not waited for: the connection could not go on.
const LATE_BODY_MS = 5_000;

/** Whether it is a GET without a body, as nearly all are. */
export function hasNoBody({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

function endUnlessComplete(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LATE_BODY_MS);
  timer.unref();
}

/**
 * Ends the connection once its request is answered, if the announced body does not come: in the end
 * Node would answer it a second time, that it was late.
 */
export function endWithoutBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasNoBody(request)) response.once('finish', () => endUnlessComplete(request));
}
