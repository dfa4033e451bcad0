import type { Socket } from 'node:net';

const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = '\r\n\r\n';
/** The beginning of an interim answer, up to the first digit of its status. */
const INTERIM = 'HTTP/1.1 1';
/** The one that switches protocols: no final answer follows it. */
const SWITCHING = 'HTTP/1.1 101';

/** Whether the bytes begin with an interim answer, or may do so with more bytes. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, SWITCHING.length);
  return INTERIM.startsWith(start.slice(0, INTERIM.length)) && start !== SWITCHING;
}

/** The bytes of one answer, as they arrive. */
class AnswerStart {
  private kept = NOTHING;
  private isInterim = false;

  /** @returns the bytes of the final answer so far; null until it has begun */
  finalOf(read: Buffer): Buffer | null {
    let bytes = this.kept.length === 0 ? read : Buffer.concat([this.kept, read]);
    while (this.isInterim || mayBeInterim(bytes)) {
      this.isInterim ||= bytes.length >= SWITCHING.length;
      const end = this.isInterim ? bytes.indexOf(BLANK_LINE) : -1;
      if (end === -1) {
        // Only the possible start of the closing blank line is kept, whatever the answer's length.
        this.kept = this.isInterim ? bytes.subarray(1 - BLANK_LINE.length) : bytes;
        return null;
      }
      bytes = bytes.subarray(end + BLANK_LINE.length);
      this.isInterim = false;
    }
    return bytes;
  }
}

/**
 * Removes interim answers (1xx) from a socket's data, so that undici reads only the final one. HTTP
 * requires a client to skip unrequested ones (RFC 9110, 15.2), but undici drops the connection at a
 * `100 Continue`.
 *
 * An answer begins after new data was written: another request. Only its start is inspected, before
 * undici's own listener, which comes after this one, reads it.
 */
export function passOverInterim(socket: Socket): void {
  let written = 0;
  let start: AnswerStart | null = null;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      start = new AnswerStart();
    }
    const read: Buffer | null = start && socket.read();
    const final = read && start?.finalOf(read);
    if (!final) return;
    start = null;
    socket.unshift(final);
  });
}
