import { expect, inject, test } from 'vitest';
import { openConnection } from '../../testing/database/one-connection.ts';

const LARGE = 3_000_000;
const doors = inject('doors').map(({ name, origin }) => [name, origin] as const);
const paths = ['/api/sandbox/invoice/create', '/api/trpc/sandbox/x', '/api/auth/csrf'];

test.each(
  doors.flatMap(([name, origin]) => paths.map((path) => [name, path, origin + path] as const)),
)('%s refuses too large a body for %s, and the connection goes on', async (_name, _path, url) => {
  const client = openConnection();
  const [, port] = await client.post(url, 2);
  for (const inChunks of [false, true, false, true]) {
    const [status, itsPort] = await client.post(url, LARGE, { inChunks });
    expect(itsPort).toBe(port);
    expect(Math.floor(status / 100)).toBe(4);
  }
  expect(await client.post(url, 2)).toEqual([expect.any(Number), port]);
  client.close();
});
