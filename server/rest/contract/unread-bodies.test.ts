import { expect, inject, test } from 'vitest';
import { openConnection } from '../../testing/database/one-connection.ts';

const LARGE = 3_000_000;
const transports = inject('transports').map(({ name, origin }) => [name, origin] as const);
const CREATE = '/api/sandbox/invoice/create';

test.each(transports)(
  '%s refuses too large a body, and the connection goes on',
  async (_, origin) => {
    const url = origin + CREATE;
    const client = openConnection();
    const [, port] = await client.post(url, 2);
    for (const inChunks of [false, true, false, true]) {
      const [status, itsPort] = await client.post(url, LARGE, { inChunks });
      expect(itsPort).toBe(port);
      expect(Math.floor(status / 100)).toBe(4);
    }
    expect(await client.post(url, 2)).toEqual([expect.any(Number), port]);
    client.close();
  },
);
