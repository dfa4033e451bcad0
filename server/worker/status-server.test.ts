import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { startStatusServer } from './status-server.ts';

const TRY_AGAIN_MS = 50;

afterEach(() => vi.restoreAllMocks());

test('a server whose port was taken listens once that is free, and says both', async () => {
  const told: unknown[] = [];
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(log(), level).mockImplementation((_: unknown, text?: string) => void told.push(text));
  }
  const other = createServer((_, response) => response.end('another’s')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const settings = { host: '127.0.0.1', metricsToken: null, publicUrl: 'http://localhost:3000' };
  const server = startStatusServer(port, settings, TRY_AGAIN_MS);
  const answer = async () => (await fetch(`http://127.0.0.1:${port}/api/live`)).text();
  await expect.poll(() => told).toHaveLength(1);
  expect(await answer()).toBe('another’s');
  other.closeAllConnections();
  other.close();
  await expect.poll(() => answer().catch(() => null)).toBe('{"status":"ok"}');
  expect(told).toEqual([
    'nothing can be asked at METRICS_PORT: the worker works on, and tries again to listen there',
    'METRICS_PORT is listened on now',
  ]);
  server.close();
});
