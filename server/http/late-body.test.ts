import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openConnection } from '../testing/database/one-connection.ts';
import { createHttpServer } from './http-server.ts';
import { readLateBodiesOfAll } from './late-body.ts';

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
  const server = create().on('request', async (asked, response) => {
    await asked[Symbol.asyncIterator]().next();
    response.writeHead(403).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openConnection();
  const [, port] = await client.post(url, 1);
  for (const bytes of [60_000, 300_000, 5_000_000, 1]) {
    expect(await client.post(url, bytes)).toEqual([403, port]);
  }
  client.close();
  server.close();
});
