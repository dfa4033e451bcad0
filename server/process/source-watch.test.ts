import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchSources } from './source-watch.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'source-watch-'));
  await mkdir(path.join(root, 'server'));
});
afterEach(() => rm(root, { recursive: true }));

/** What starts anew when a file below `server/` is written. */
async function restartedBy(file: string): Promise<string[]> {
  const restarted: string[] = [];
  await new Promise<void>((resolve) => {
    const web = () => restarted.push('web');
    const worker = () => {
      restarted.push('worker');
      resolve();
    };
    watchSources(root, { web, worker });
    void writeFile(path.join(root, 'server', file), '');
  });
  return restarted;
}

test.each([
  'env.ts',
  'http.ts',
  'log.ts',
  'page-door.ts',
  'web.ts',
  'web-drain.ts',
  'web-siblings.ts',
])('%s starts the web anew, for Next does not bundle it', async (file) => {
  expect(await restartedBy(file)).toEqual(['web', 'worker']);
});

test.each(['worker.ts', 'worker-door.ts'])('%s starts the worker alone anew', async (file) => {
  expect(await restartedBy(file)).toEqual(['worker']);
});
