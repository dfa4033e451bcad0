import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const DRAIN_MS = 10_000;
/** Longer than a request is on its way, and than whoever calls again and again waits in between. */
const FAREWELL_MS = 500;
/** What two turns of the event loop that bring nothing are well below. */
const BRIEF_MS = 1;

const connectionsOf = (server: Server): Promise<number> =>
  promisify(server.getConnections.bind(server))();

/**
 * Lets in who has connected while this process was busy: the system would reset them when it stops
 * listening, and they have sent their requests by now. A turn of the event loop lets one in, and whoever
 * connects while it works on waits for the next: after one that took its time it looks again. Who
 * comes on and on cannot keep it listening.
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
    // Of two turns one looks for connections, wherever in the loop this begins.
    await nextTurn();
    await nextTurn();
    mayWait ||= performance.now() - lookedMs > BRIEF_MS;
  } while (mayWait && performance.now() < endMs);
}

/**
 * Lets the requests in flight end, for as long as `DRAIN_MS`, and takes no more.
 *
 * First every answer tells its connection to end, for `FAREWELL_MS`. A connection that is idle as it
 * is seen here can have a request on its way: closed at once, its caller would never learn what
 * became of that. Whose request was in flight before was not told, and has as long after its answer
 * (half of it on average): until the next sweep.
 */
export async function drain(server: Server): Promise<void> {
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  if ((await connectionsOf(server)) > 0) await sleep(FAREWELL_MS);
  await letIn(server);
  // Node closes what is idle with it.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), FAREWELL_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
