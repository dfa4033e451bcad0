import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const ZERO = 0x30;

/** What one request was answered: the status, and the bytes of head and body. */
export type LoadAnswer = { status: number; bytes: Buffer };

/** Whether the body that follows the head has come: by its length, or by its last chunk. */
function isWhole(bytes: Buffer, headEnd: number): boolean {
  let at = bytes.indexOf(LENGTH) + LENGTH.length;
  if (at < LENGTH.length || at > headEnd) {
    return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }
  let length = 0;
  for (let digit = bytes[at]; digit !== undefined && digit >= ZERO; digit = bytes[++at]) {
    length = length * 10 + digit - ZERO;
  }
  return bytes.length >= headEnd + HEAD_END.length + length;
}

/**
 * One keep-alive HTTP connection that sends bytes and reads answers. Lean, because on a small
 * machine every cycle of a client is taken from the server that it measures: nothing is decoded
 * but the status and the length.
 */
export class LoadConnection {
  private readonly socket: Socket;
  private pending: Buffer | null = null;
  private settle: ((answer: LoadAnswer) => void) | null = null;
  private fail: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail?.(error));
    socket.on('close', () => this.fail?.(new Error('the server closed a connection')));
  }

  static open(port: number): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new LoadConnection(socket));
      });
    });
  }

  /** Sends one request; `settle` is called with its answer, `fail` when there will be none. */
  send(
    request: string | Buffer,
    settle: (answer: LoadAnswer) => void,
    fail: (error: Error) => void,
  ): void {
    this.settle = settle;
    this.fail = fail;
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.fail = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    const bytes = this.pending === null ? chunk : Buffer.concat([this.pending, chunk]);
    this.pending = bytes;
    const end = bytes.indexOf(HEAD_END);
    if (end < 0 || !isWhole(bytes, end)) return;
    this.pending = null;
    const digits = bytes.subarray(9, 12).map((digit) => digit - ZERO);
    const status = (digits[0] ?? 0) * 100 + (digits[1] ?? 0) * 10 + (digits[2] ?? 0);
    this.settle?.({ status, bytes });
  }
}
