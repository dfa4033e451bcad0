import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startEmbedded } from '../process/embedded-postgres/embedded.ts';
import {
  makeThrowAwayFolder,
  parentOfDatabases,
  sweepThrowAwayFolders,
} from './throw-away-folder.ts';

const OWNER = `
  import { startEmbedded } from './server/process/embedded-postgres/embedded.ts';
  import { makeThrowAwayFolder, parentOfDatabases } from './server/testing/throw-away-folder.ts';
  const dataDir = makeThrowAwayFolder(parentOfDatabases());
  const { pid } = await startEmbedded({ dataDir, durability: 'throw-away' });
  process.stdout.write(JSON.stringify({ dataDir, pid }));
  setInterval(() => undefined, 1000);`;

// A zombie process has no working folder either.
const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`);

describe('sweepThrowAwayFolders', () => {
  it('ends the PostgreSQL of a run that was killed, and leaves that of a running one', async () => {
    const mine = makeThrowAwayFolder(parentOfDatabases());
    const server = await startEmbedded({ dataDir: mine, durability: 'throw-away' });
    const args = ['--import', 'tsx', '--input-type=module', '--eval', OWNER];
    const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = await once(other.stdout, 'data');
    const { dataDir, pid } = JSON.parse(String(text));
    await sweepThrowAwayFolders();
    expect(isAlive(pid)).toBe(true);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(isAlive(pid)).toBe(true);
    await sweepThrowAwayFolders();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(dataDir)).toBe(false);
    expect(isAlive(server.pid)).toBe(true);
    await server.stop();
  });
});
