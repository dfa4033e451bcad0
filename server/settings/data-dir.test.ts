import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../testing/ports.ts';
import { makeDataDir } from './data-dir.ts';
import { childEnvironment } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made with what is missing above it, and left alone where it is there', () => {
  const dataDir = join(folder, 'one', 'two');
  makeDataDir(dataDir);
  makeDataDir(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
});

it.each([
  ['a file', (path: string) => writeFileSync(path, '')],
  ['a link that leads nowhere', (path: string) => symlinkSync('/none/none', path)],
])('is refused by the name of the setting where %s is in the way', (_, put) => {
  put(join(folder, 'way'));
  const words = /^The folder of the setting DATA_DIR cannot be used: E[A-Z]+: /;
  expect(() => makeDataDir(join(folder, 'way'))).toThrow(words);
  expect(() => makeDataDir(join(folder, 'way', 'below'))).toThrow(words);
});

it.runIf(process.platform === 'linux')('in /proc, where nothing can be made, start ends', () => {
  const { status, stdout } = spawnSync(process.execPath, ['server/bootstrap.js', 'start'], {
    env: childEnvironment({ NODE_ENV: '', DATA_DIR: '/proc/none/none' }),
    encoding: 'utf8',
    timeout: 20_000,
    // The process would hear no other signal while it loops.
    killSignal: 'SIGKILL',
  });
  expect(stdout).toMatch(/The folder of the setting DATA_DIR cannot be used: E[A-Z]+/);
  expect(status).toBe(1);
});

// A device that is always full stands in for a full disk.
it.runIf(process.platform === 'linux')('is named by start where its disk is full', async () => {
  symlinkSync('/dev/full', join(folder, 'public-url'));
  const { status, stdout } = spawnSync(process.execPath, ['server/bootstrap.js', 'start'], {
    env: childEnvironment({ NODE_ENV: '', DATA_DIR: folder, PORT: `${await freePort()}` }),
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(stdout).toContain(
    `Nothing can be written to ${folder}, the folder of the setting DATA_DIR: ENOSPC`,
  );
  expect(status).toBe(1);
});
