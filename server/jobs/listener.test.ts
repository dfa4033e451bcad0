import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Listener } from './listener.ts';

test('stopped while it connects, it ends', async () => {
  // Takes connections and never says a word.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const errors: unknown[] = [];
  const listener = new Listener({
    connectionString: `postgres://nobody@127.0.0.1:${port}/none`,
    channels: ['some'],
    onNotify: () => undefined,
    onError: (error) => errors.push(error),
  });
  const [socket] = await once(server, 'connection');
  socket.resume();
  await listener.stop();
  expect(errors).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});
