import { connect, type Socket } from 'node:net';
import { messageLength } from './message-length.ts';

const ZERO = 0x30;
const BUFFER_BYTES = 16 * 1024;

/** One answer: the status, and the bytes of head and body, valid only in this turn. */
export type LoadAnswer = { status: number; bytes: Buffer };

/**
 * One keep-alive HTTP connection that sends bytes and reads answers. It does little, because on a
 * small machine every cycle of a client is taken from the measured server: only the status and the
 * length are decoded, and everything is read into one buffer.
 */
export class LoadConnection {
  private readonly socket: Socket;
  private readonly buffer: Buffer;
  private length = 0;
  private settle: ((answer: LoadAnswer) => void) | null = null;
  private fail: ((error: Error) => void) | null = null;

  private constructor(port: number) {
    this.buffer = Buffer.alloc(BUFFER_BYTES);
    const onread = {
      buffer: Buffer.alloc(BUFFER_BYTES),
      callback: (count: number, read: Uint8Array) => this.take(count, read),
    };
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.socket.on('error', (error) => this.fail?.(error));
    this.socket.on('close', () => this.fail?.(new Error('the server closed a connection')));
  }

  static open(port: number): Promise<LoadConnection> {
    return new Promise((resolve, reject) => {
      const connection = new LoadConnection(port);
      connection.fail = reject;
      connection.socket.once('connect', () => resolve(connection));
    });
  }

  /** Sends one request; `settle` is called with its answer, `fail` if there will be none. */
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

  /** Takes the bytes that were read; true continues reading. */
  private take(count: number, read: Uint8Array): boolean {
    this.buffer.set(read.subarray(0, count), this.length);
    this.length += count;
    const bytes = this.buffer.subarray(0, this.length);
    if (messageLength(bytes) === null) return true;
    this.length = 0;
    const digit = (at: number) => (bytes[at] ?? ZERO) - ZERO;
    this.settle?.({ status: digit(9) * 100 + digit(10) * 10 + digit(11), bytes });
    return true;
  }
}
