import type { Socket } from 'node:net';

const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = '\r\n\r\n';
/** How an interim answer begins, up to the first digit of its status. */
const INTERIM = 'HTTP/1.1 1';
/** The one that changes protocols: no final answer follows it. */
const SWITCHING = 'HTTP/1.1 101';

/** Whether the bytes begin with an interim answer, or still may once there are more of them. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, SWITCHING.length);
  return INTERIM.startsWith(start.slice(0, INTERIM.length)) && start !== SWITCHING;
}

/** The bytes of one answer, as they come. */
class AnswerStart {
  private kept = NOTHING;
  private isInterim = false;

  /** @returns what there is of the final answer; null until it has begun */
  finalOf(read: Buffer): Buffer | null {
    let bytes = this.kept.length === 0 ? read : Buffer.concat([this.kept, read]);
    while (this.isInterim || mayBeInterim(bytes)) {
      this.isInterim ||= bytes.length >= SWITCHING.length;
      const end = this.isInterim ? bytes.indexOf(BLANK_LINE) : -1;
      if (end === -1) {
        // Only what may begin its closing blank line is kept, however long an interim answer is.
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
 * Takes interim answers (1xx) out of what a socket brings, so that undici reads the final one alone.
 * HTTP has a client pass over those that it did not ask for (RFC 9110, 15.2), and undici gives up
 * the connection at a `100 Continue`.
 *
 * An answer begins where something was written since: another request. Only its start is looked
 * at, before undici's own listener, which comes after this one, reads it.
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
