import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const DRAIN_MS = 10_000;
/** Longer than a request takes to arrive, and than a steady caller pauses between requests. */
const FAREWELL_MS = 500;
/** Two turns of an idle event loop take far less than this. */
const BRIEF_MS = 1;

const connectionsOf = (server: Server): Promise<number> =>
  promisify(server.getConnections.bind(server))();

/**
 * Accepts connections made while this process was busy: the system would reset them when it stops
 * listening, although their requests are sent by now. One turn of the event loop accepts one
 * connection, and a caller that connects during a turn waits for the next; so it looks again after
 * each turn that took long. A steady stream of callers cannot keep it listening.
 */
async function letIn(server: Server): Promise<void> {
  const endMs = performance.now() + FAREWELL_MS;
  let mayWait = false;
  server.on('connection', () => {
    mayWait = true;
  });
  do {
    mayWait = false;
    const lookedMs = performance.now();
    // One of two turns looks for connections, wherever in the loop this begins.
    await nextTurn();
    await nextTurn();
    mayWait ||= performance.now() - lookedMs > BRIEF_MS;
  } while (mayWait && performance.now() < endMs);
}

/**
 * Lets the requests in flight end, for at most `DRAIN_MS`, and accepts no more.
 *
 * First every answer tells its connection to close, for `FAREWELL_MS`. A connection that looks idle
 * here can have a request on its way; if it were closed at once, its caller would never learn the
 * result. A connection whose request was already in flight was not told. It stays open until the
 * next sweep after its answer: half of `FAREWELL_MS` on average.
 */
export async function drain(server: Server): Promise<void> {
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  if ((await connectionsOf(server)) > 0) await sleep(FAREWELL_MS);
  await letIn(server);
  // Node closes idle connections along with the server.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), FAREWELL_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
