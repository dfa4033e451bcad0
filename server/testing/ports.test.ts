import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, isListening } from './ports.ts';

test('a free port is none that the system gives to others', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  server.close();
  for (const port of ports) {
    expect(port).toBeLessThan(32_768);
    expect(port).toBeLessThan(given);
    expect(await isListening(port)).toBe(false);
    // A request from another process finds the port below taken.
    expect(await isListening(port - 1)).toBe(true);
  }
});
