import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export type CuttingProxy = {
  port: number;
  /** Arms the proxy: the next statement of this name is carried out, and its answer is lost. */
  arm(statement: string): void;
  /** Holds the next statement of this name back for good. Resolves when it has come. */
  hold(statement: string): Promise<void>;
  /** Nothing is to be met any more. */
  disarm(): void;
  /** The number of lost answers. */
  cuts(): number;
  close(): Promise<void>;
};

/** What the next statement of a name meets; the Bind message of each has its name. */
type Trap = { statement: Buffer; sprung: (() => void) | null };

/**
 * A proxy in front of PostgreSQL that cuts a connection between COMMIT and its answer. It passes
 * the statement on, waits until the server has committed, and then closes both sides without
 * passing that answer back. Or it holds a statement back, so that its process can be killed
 * meanwhile.
 */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  let trap: Trap | null = null;
  let cut = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let doomed = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data: Buffer) => {
      if (trap && data.includes(trap.statement)) {
        const { sprung } = trap;
        trap = null;
        if (sprung) return sprung();
        doomed = true;
      }
      upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      // ReadyForQuery ends every answer; an idle one (I) means a commit.
      const isCommitted = data.at(-6) === 0x5a && data.at(-1) === 0x49;
      if (!doomed || !isCommitted) {
        client.write(data);
        return;
      }
      cut += 1;
      client.destroy();
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    arm: (statement) => {
      trap = { statement: Buffer.from(statement), sprung: null };
    },
    hold: (statement) =>
      new Promise((sprung) => {
        trap = { statement: Buffer.from(statement), sprung };
      }),
    disarm: () => {
      trap = null;
    },
    cuts: () => cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
