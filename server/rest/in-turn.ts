import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of a connection, the answer to the newest request that waits. */
type Line = { newest: ServerResponse | null };

const lines = new WeakMap<Socket, Line>();

function lineOf(socket: Socket): Line {
  const known = lines.get(socket);
  if (known) return known;
  const line: Line = { newest: null };
  lines.set(socket, line);
  // Node too has it read on, for whoever reads a body, even one that is there already.
  socket.on('resume', () => {
    if (line.newest !== null) socket.pause();
  });
  return line;
}

/**
 * Has `listener` asked by the requests of a connection one after the other, each when those before it
 * are answered.
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
    line.newest = response;
    // Or whoever sends on and on would fill the memory with what waits.
    request.socket.pause();
    const assign = response.assignSocket.bind(response);
    response.assignSocket = (socket) => {
      assign(socket);
      if (line.newest === response) {
        line.newest = null;
        // The rest of its body may not be there yet; those before it came whole.
        socket.resume();
      }
      listener(request, response);
    };
  };
}
