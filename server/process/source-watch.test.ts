import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchSources } from './source-watch.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'source-watch-'));
});
afterEach(() => rm(root, { recursive: true }));

/** What restarts when a file below `server/` is written. */
async function restartedBy(file: string): Promise<string[]> {
  const restarted: string[] = [];
  const written = path.join(root, 'server', file);
  await mkdir(path.dirname(written), { recursive: true });
  await new Promise<void>((resolve) => {
    const web = () => restarted.push('web');
    const worker = () => {
      restarted.push('worker');
      resolve();
    };
    watchSources(root, { web, worker });
    void writeFile(written, '');
  });
  return restarted;
}

test.each(['web/web.ts', 'http/node-adapter.ts', 'settings/settings.ts', 'observability/log.ts'])(
  '%s starts the web anew, for Next does not bundle it',
  async (file) => {
    expect(await restartedBy(file)).toEqual(['web', 'worker']);
  },
);

test.each(['worker/worker.ts', 'invoices/create.ts'])(
  '%s starts the worker alone anew',
  async (file) => {
    expect(await restartedBy(file)).toEqual(['worker']);
  },
);
