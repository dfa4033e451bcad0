import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

// Below the range that systems assign (from 32768 or 49152), so that no server on port 0 and no
// outgoing connection takes one. Ports come in pairs: one to hold, one to give.
const FIRST = 12_000;
const PAIRS = 10_000;

/** Listens there, or returns null if the port is taken. */
function listenAt(port: number): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(port, () => resolve(server));
  });
}

/**
 * A free port of this machine, given to nobody else while this process runs: the port below it is
 * held until then, even against tests in other processes.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const held = FIRST + 2 * randomInt(PAIRS);
    const holder = await listenAt(held);
    const probe = holder && (await listenAt(held + 1));
    if (!probe) {
      holder?.close();
      continue;
    }
    holder.unref();
    probe.close();
    await once(probe, 'close');
    return held + 1;
  }
}

/** Whether something accepts connections there. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
