import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * As many as may wait on one connection. What is read at once, 64 KiB, can hold thousands of short
 * ones, each of which takes a hundred times its length; whoever sends requests in rows sends a few.
 */
export const MOST_WAITING = 100;

/** Of a connection, how many requests wait, and the answer to the newest of them. */
type Line = { waiting: number; newest: ServerResponse | null };

const lines = new WeakMap<Socket, Line>();

function lineOf(socket: Socket): Line {
  const known = lines.get(socket);
  if (known) return known;
  const line: Line = { waiting: 0, newest: null };
  lines.set(socket, line);
  // Node too has it read on, for whoever reads a body, even one that is there already, and behind each
  // request that came whole.
  socket.on('resume', () => {
    if (line.newest === null) return;
    // The next request may have paused it before Node tells this: it is read on all the same, a second
    // `pause` does nothing, and a body of any length would come into the memory.
    if (socket.isPaused()) socket.emit('pause');
    else socket.pause();
  });
  return line;
}

/**
 * Has `listener` asked by the requests of a connection one after the other, each when those before it
 * are answered. A connection on which too many wait is closed (RFC 9112, 9.3.2, lets servers do so).
 *
 * Node hands on at once whatever comes together (pipelining). A status would be read before the create
 * in front of it is carried out, and a create behind an answer that ends the connection would be
 * carried out and never answered. RFC 9112 allows neither: only safe methods side by side (9.3.2),
 * and nothing behind the last answer (9.6).
 */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    // It has its connection, unless one before it has that still.
    if (response.socket !== null) {
      listener(request, response);
      return;
    }
    const line = lineOf(request.socket);
    line.waiting += 1;
    if (line.waiting > MOST_WAITING) {
      request.socket.destroy();
      return;
    }
    line.newest = response;
    // Or whoever sends on and on would fill the memory with what waits.
    request.socket.pause();
    const assign = response.assignSocket.bind(response);
    response.assignSocket = (socket) => {
      assign(socket);
      line.waiting -= 1;
      if (line.newest === response) {
        line.newest = null;
        // The rest of its body may not be there yet; those before it came whole.
        socket.resume();
      }
      // Not at once: an answer that waits for nothing outside has the next request come here before
      // the process has looked at anything else, and a row of them would keep it from all others.
      setImmediate(() => {
        if (!response.destroyed) listener(request, response);
      });
    };
  };
}
