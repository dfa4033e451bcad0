import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export type CuttingProxy = {
  port: number;
  /** Arms the proxy: the next create is carried out, and its answer is lost. */
  arm(): void;
  /** The number of lost answers. */
  cuts(): number;
  close(): Promise<void>;
};

// The Bind message of each create has the name of the prepared statement.
const CREATE = Buffer.from('create_invoice');

/**
 * A proxy in front of PostgreSQL that cuts a connection between COMMIT and its answer. It passes
 * the create on, waits for the server's answer (so the statement has committed), and then closes
 * both sides without passing it back.
 */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  let armed = false;
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
      if (armed && data.includes(CREATE)) {
        armed = false;
        doomed = true;
      }
      upstream.write(data);
    });
    upstream.on('data', (data: Buffer) => {
      if (!doomed) {
        client.write(data);
        return;
      }
      // ReadyForQuery ends every answer; an idle one (I) means a commit.
      if (data.at(-6) === 0x5a && data.at(-1) === 0x49) {
        cut += 1;
        client.destroy();
        upstream.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    arm: () => {
      armed = true;
    },
    cuts: () => cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
