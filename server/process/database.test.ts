import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { type SupervisedDatabase, superviseDatabase } from './database.ts';

// SIGTERM is PostgreSQL's "smart" shutdown: it waits until the last client has left.

let dataDir: string;
let database: SupervisedDatabase;
beforeAll(() => {
  dataDir = makeThrowAwayFolder();
});
afterEach(async () => {
  vi.useRealTimers();
  await database.stop();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

async function supervise(say: (text: string) => void): Promise<AbortController> {
  const ending = new AbortController();
  const { signal } = ending;
  database = await superviseDatabase({ dataDir, say, onMoved: () => undefined, signal });
  return ending;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.url());
  // The client's session may be cut.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Resolves once new clients are turned away. */
async function untilRefused(): Promise<void> {
  for (;;) {
    try {
      await (await connect()).end();
    } catch (error) {
      expect(error).toMatchObject({ code: '57P03' });
      return;
    }
  }
}

it('PostgreSQL that is told to end while a client stays is ended, and comes back', async () => {
  const said: string[] = [];
  let onBack = (): void => undefined;
  const back = new Promise<void>((resolve) => {
    onBack = resolve;
  });
  await supervise((text) => {
    said.push(text);
    if (text.includes('is back')) onBack();
  });
  const staying = await connect();
  const before = database.pid();
  process.kill(before, 'SIGTERM');
  await back;
  expect(said).toEqual([
    '! PostgreSQL was told to end and takes no new connections; ending it at once',
    '! PostgreSQL ended; starting it again in 200 ms',
    '✓ PostgreSQL is back',
  ]);
  expect(database.pid()).not.toBe(before);
  await (await connect()).end();
  await staying.end();
});

it('it is left alone where all ends in order, for those that still use it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const said: string[] = [];
  const ending = await supervise((text) => said.push(text));
  const staying = await connect();
  ending.abort();
  process.kill(database.pid(), 'SIGTERM');
  await untilRefused();
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual([]);
  expect((await staying.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  await staying.end();
});
