import type { Socket } from 'node:net';

/** More was read for one request than any answer may contain. */
class ReadLimitError extends Error {
  readonly code = 'READ_LIMIT';

  constructor() {
    super('too much was read for one request');
  }
}

/**
 * Destroys a socket that receives more than this for one request, whatever it is. undici does not
 * count interim answers (1xx), chunk framing, or blank lines before the status: a server that never
 * ends them would keep this thread reading.
 *
 * New written data marks another request, whose answer begins at zero. The socket already has both
 * counters; they are compared once for each piece of at most 64 KiB, before undici reads it.
 */
export function limitReading(socket: Socket, limitBytes: number): void {
  let written = 0;
  let readBefore = 0;
  let readLast = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBefore = readLast;
    }
    readLast = socket.bytesRead;
    if (readLast - readBefore > limitBytes) socket.destroy(new ReadLimitError());
  });
}
