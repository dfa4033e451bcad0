import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './process-lock.js';

let folder: string;
let lockFile: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'process-lock-'));
  lockFile = path.join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that takes the lock, reports the result, and stays until it is killed. */
async function holderProcess(): Promise<{ taken: boolean; kill: () => Promise<void> }> {
  const script = `
    import { takeLock } from ${JSON.stringify(new URL('./process-lock.js', import.meta.url).href)};
    console.log(takeLock(${JSON.stringify(lockFile)}).taken);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const answer = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.stderr.once('data', (data: Buffer) => reject(new Error(data.toString())));
  });
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return { taken: answer === 'true', kill };
}

describe('process lock', () => {
  it('refuses a second holder and names the first', () => {
    expect(takeLock(lockFile).taken).toBe(true);
    expect(takeLock(lockFile)).toEqual({ taken: false, holderPid: process.pid });
  });

  it('is free again once released, and leaves nothing behind', () => {
    const lock = takeLock(lockFile);
    if (lock.taken) lock.release();
    expect(readdirSync(folder)).toEqual([]);
    expect(takeLock(lockFile).taken).toBe(true);
  });

  // A device that is always full stands in for a full disk.
  it.runIf(process.platform === 'linux')('leaves nothing behind on a full disk', () => {
    symlinkSync('/dev/full', `${lockFile}.${process.pid}.new`);
    expect(() => takeLock(lockFile)).toThrow('ENOSPC');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is free again after kill -9 of its holder', async () => {
    const holder = await holderProcess();
    expect(takeLock(lockFile).taken).toBe(false);
    await holder.kill();
    expect(takeLock(lockFile).taken).toBe(true);
  });

  it('does not take another process with the same id for the holder', () => {
    takeLock(lockFile);
    const [pid, , place] = readFileSync(lockFile, 'utf8').split(' ');
    writeFileSync(lockFile, `${pid} 1 ${place}`);
    expect(takeLock(lockFile).taken).toBe(process.platform === 'linux');
  });

  it('is free in a copy of its folder, and held in the folder itself, also when that is moved', () => {
    const [copy, moved] = [`${folder}-copy`, `${folder}-moved`];
    takeLock(lockFile);
    try {
      cpSync(folder, copy, { recursive: true });
      expect(takeLock(path.join(copy, 'lock')).taken).toBe(true);
      expect(takeLock(lockFile).taken).toBe(false);
      renameSync(folder, moved);
      expect(takeLock(path.join(moved, 'lock')).taken).toBe(false);
    } finally {
      for (const each of [copy, moved]) rmSync(each, { recursive: true, force: true });
    }
  });

  it('goes to exactly one of several that find a dead holder at once', async () => {
    writeFileSync(lockFile, '999999999 1\n');
    const holders = await Promise.all(Array.from({ length: 6 }, holderProcess));
    expect(holders.filter((holder) => holder.taken)).toHaveLength(1);
    expect(readFileSync(lockFile, 'utf8')).not.toContain('999999999');
    await Promise.all(holders.map((holder) => holder.kill()));
  });
});
