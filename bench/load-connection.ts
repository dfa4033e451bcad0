import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: *(\d+)/i;

/**
 * One keep-alive HTTP connection that sends bytes and reads answers with a
 * Content-Length. Lean, because on a small machine every cycle of a client is taken
 * from the server that it measures.
 */
export class LoadConnection {
  private readonly socket: Socket;
  private pending: Buffer = Buffer.alloc(0);
  private settle: ((status: number, body: string) => void) | null = null;
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

  send(request: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      this.settle = (status, body) => resolve({ status, body });
      this.fail = reject;
      this.socket.write(request);
    });
  }

  close(): void {
    this.fail = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const end = this.pending.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.pending.toString('latin1', 0, end);
    const length = Number(LENGTH.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      this.fail?.(new Error('an answer without Content-Length'));
      return;
    }
    const total = end + HEAD_END.length + length;
    if (this.pending.length < total) return;
    const body = this.pending.toString('utf8', end + HEAD_END.length, total);
    this.pending = Buffer.alloc(0);
    this.settle?.(Number(head.slice(9, 12)), body);
  }
}
