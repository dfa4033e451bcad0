import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from './http-server.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('time limits are looked at often enough to mean what they say', () => {
  server = createHttpServer();
  expect(server).toMatchObject({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    timeout: 180_000,
  });
});

test('whoever takes nothing of an answer is cut off', async () => {
  server = createHttpServer();
  // This shortens the limit of the same mechanism.
  server.timeout /= 1_000;
  server.on('request', (_request, response) => response.end(Buffer.alloc(16 * 1024 * 1024)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  const reader = connect(port, '127.0.0.1').pause();
  reader.on('error', () => undefined);
  reader.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await cut;
  reader.destroy();
});
