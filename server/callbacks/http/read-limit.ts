import type { Socket } from 'node:net';

/** More was read for one request than any answer may take. */
class ReadLimitError extends Error {
  readonly code = 'READ_LIMIT';

  constructor() {
    super('too much was read for one request');
  }
}

/**
 * Destroys a socket over which more comes than that for one request, whatever it is: undici counts
 * neither interim answers (1xx), nor what frames chunks, nor blank lines before the status, so that
 * a server which never ends them would keep this thread reading.
 *
 * Something was written since: another request, whose answer begins at nothing. Two counters that
 * the socket has anyway, looked at once for each piece of at most 64 KiB, before undici reads it.
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
