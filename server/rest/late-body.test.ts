import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from './http-server.ts';
import { readLateBodiesOfAll } from './late-body.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Posts so many bytes by the one connection; the status, and by which port of ours it came. */
function post(bytes: number): Promise<[status: number | undefined, port: number | undefined]> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ agent, port, method: 'POST' }, (answer) => {
      const { localPort } = answer.socket;
      answer.resume().once('end', () => resolve([answer.statusCode, localPort]));
    });
    sent.once('error', reject);
    sent.end(Buffer.alloc(bytes));
  });
}

test.each<[string, () => Server]>([
  ['our own server', createHttpServer],
  [
    'a server that another made',
    () => {
      readLateBodiesOfAll();
      return createServer();
    },
  ],
])('%s goes on behind a body of which a handler has begun to read', async (_, create) => {
  server = create();
  server.on('request', async (asked, response) => {
    await asked[Symbol.asyncIterator]().next();
    response.writeHead(403).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [, port] = await post(1);
  for (const bytes of [60_000, 300_000, 5_000_000, 1]) {
    expect(await post(bytes)).toEqual([403, port]);
  }
});
