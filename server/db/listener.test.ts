import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../testing/database/database.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { Listener } from './listener.ts';

test('stopped while it connects, it ends', async () => {
  // Accepts connections and never says a word.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const errors: unknown[] = [];
  const listener = new Listener({
    connectionString: `postgres://nobody@127.0.0.1:${port}/none`,
    channel: 'events',
    applicationName: 'payment-gateway listener',
    onNotify: () => undefined,
    onError: (error) => errors.push(error),
  });
  const [socket] = await once(server, 'connection');
  socket.resume();
  await listener.stop();
  expect(errors).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
});

test('notices that its connection went silent, and listens on another', async () => {
  const database = await createTestDatabase(1);
  const network = await startSilentProxy(database.url);
  const heard = vi.fn();
  const errors: unknown[] = [];
  const listener = new Listener({
    connectionString: network.url,
    channel: 'events',
    applicationName: 'payment-gateway listener',
    onNotify: heard,
    onError: (error) => errors.push(error),
    heartbeatEveryMs: 50,
    heartbeatTimeoutMs: 2_000,
  });
  // One call follows the connect, one the notification.
  await expect.poll(() => heard).toHaveBeenCalledTimes(1);
  await database.pool.query('NOTIFY events');
  await expect.poll(() => heard).toHaveBeenCalledTimes(2);
  network.silence();
  await expect.poll(() => heard).toHaveBeenCalledTimes(3);
  await database.pool.query('NOTIFY events');
  await expect.poll(() => heard).toHaveBeenCalledTimes(4);
  expect(errors).toHaveLength(1);
  await listener.stop();
  await network.close();
  await database.drop();
});

test('stopped while its connection is silent, it ends soon', async () => {
  const database = await createTestDatabase(1);
  const network = await startSilentProxy(database.url);
  const heard = vi.fn();
  const listener = new Listener({
    connectionString: network.url,
    channel: 'events',
    applicationName: 'payment-gateway listener',
    onNotify: heard,
    onError: () => undefined,
  });
  await expect.poll(() => heard).toHaveBeenCalledTimes(1);
  network.silence();
  const beganMs = performance.now();
  await listener.stop();
  expect(performance.now() - beganMs).toBeLessThan(10_000);
  await network.close();
  await database.drop();
});
