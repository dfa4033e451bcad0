import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type SilentProxy = {
  /** The URL of the database through the proxy. */
  url: string;
  /** From now on the current connections carry nothing more; new ones do. */
  silence(): void;
  /** While it is cut, every connection is closed, and a new one at once. */
  cut(isCut: boolean): void;
  close(): Promise<void>;
};

/**
 * A network in front of PostgreSQL whose connections can go silent without ending, as when a router
 * forgets them or a host is frozen. It can also be down for a while.
 */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isAway = false;
  const server = createServer((client) => {
    if (isAway) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut: (isCut) => {
      isAway = isCut;
      if (isCut) for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
