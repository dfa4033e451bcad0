import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { makeThrowAwayFolder } from '../../testing/throw-away-folder.ts';
import { findEmbedded, serverPid, startEmbedded } from './embedded.ts';

let dataDir: string;
// Not `throw-away`: in that mode a kill -9 loses the commits of its last moments.
const start = () => startEmbedded({ dataDir });
beforeAll(() => {
  // Its mode is 0700: under root this also covers a folder closed to PostgreSQL's account.
  dataDir = makeThrowAwayFolder();
  // Somebody who also works with other servers may have set it.
  vi.stubEnv('PGSSLMODE', 'require');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await (await findEmbedded(dataDir))?.stop();
  fs.rmSync(dataDir, { recursive: true });
});

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const pool = openPool(url, 1);
  try {
    return (await pool.query(sql)).rows;
  } finally {
    await pool.end();
  }
}

const portOf = (url: string) => Number(new URL(url).port);
const kept = (name: string) => join(dataDir, name);

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe('startEmbedded', () => {
  it('makes one cluster and one server when two processes start at once', async () => {
    // A kill in the middle of the first start leaves this behind.
    fs.mkdirSync(kept('postgres.new'));
    fs.writeFileSync(join(kept('postgres.new'), 'PG_VERSION'), '18\n');
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.pid).toBe(two.pid);
    expect([one.startedHere, two.startedHere].sort()).toEqual([false, true]);
    await ask(one.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
    expect(await ask(two.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it.runIf(process.getuid?.() === 0)('may write nowhere that is root’s', async () => {
    const { url } = await start();
    const copy = `COPY (SELECT 1) TO '${kept('of-root')}'`;
    await expect(ask(url, copy)).rejects.toThrow('Permission denied');
  });

  // A device that is always full stands in for a full disk.
  it.runIf(process.platform === 'linux')('names the folder whose disk is full', async () => {
    fs.symlinkSync('/dev/full', kept(`postgres.lock.${process.pid}.new`));
    await expect(start()).rejects.toThrow(
      `Nothing can be written to ${dataDir}, the folder of the setting DATA_DIR: ENOSPC`,
    );
  });

  it('listens on 127.0.0.1 only, asks for the password, and keeps it to its owner', async () => {
    const { url } = await start();
    expect(await answers('127.0.0.1', portOf(url))).toBe(true);
    expect(await answers('127.0.0.2', portOf(url))).toBe(false);
    expect(await answers('::1', portOf(url))).toBe(false);
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(fs.statSync(kept('postgres.json')).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(kept('postgres.password'))).toBe(false);
  });

  it('runs in a process group of its own, so that Ctrl-C does not reach it', async () => {
    const { pid } = await start();
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])).toBe(pid);
  });

  it('tells when the server is gone, and brings back its data on the same port after kill -9', async () => {
    const before = await start();
    process.kill(before.pid, 'SIGKILL');
    await before.untilGone();
    expect(await findEmbedded(dataDir)).toBeNull();
    const after = await start();
    expect(after.startedHere).toBe(true);
    expect(after.url).toBe(before.url);
    expect(await ask(after.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('starts although its pid file names another program by now', async () => {
    const before = await start();
    await before.stop();
    expect(await findEmbedded(dataDir)).toBeNull();
    const other = spawn('sleep', ['60'], { stdio: 'ignore' });
    fs.writeFileSync(
      join(kept('postgres'), 'postmaster.pid'),
      `${other.pid}\n${kept('postgres')}\n1795259190\n${portOf(before.url)}\n\n127.0.0.1\n`,
    );
    expect(await findEmbedded(dataDir)).toBeNull();
    const after = await start();
    expect(await ask(after.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    other.kill('SIGKILL');
  });

  it('starts on a copy of the folder beside the server of the original, which is none of its own', async () => {
    const original = await start();
    await ask(original.url, 'CHECKPOINT');
    const copy = makeThrowAwayFolder();
    // The copy keeps its owner, which a copy by Node would not.
    execFileSync('cp', ['-a', kept('postgres'), kept('postgres.json'), copy]);
    expect(serverPid(copy)).toBeNull();
    const other = await startEmbedded({ dataDir: copy });
    try {
      expect(await ask(other.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
      expect(portOf(other.url)).not.toBe(portOf(original.url));
      expect(serverPid(copy)).toBe(other.pid);
      expect((await findEmbedded(dataDir))?.pid).toBe(original.pid);
    } finally {
      await other.stop();
      fs.rmSync(copy, { recursive: true });
    }
  });

  it('makes its database where a kill -9 came before that', async () => {
    const { url, startedHere } = await start();
    expect(startedHere).toBe(false);
    const maintenance = new URL(url);
    maintenance.pathname = '/postgres';
    await ask(maintenance.href, 'ALTER DATABASE gateway RENAME TO aside');
    expect(await ask((await start()).url, 'SELECT current_database() AS name')).toEqual([
      { name: 'gateway' },
    ]);
    await ask(maintenance.href, 'DROP DATABASE gateway');
    await ask(maintenance.href, 'ALTER DATABASE aside RENAME TO gateway');
  });

  it('takes another port when its own is taken, and keeps that one', async () => {
    const before = await start();
    await before.stop();
    const squatter = createServer().listen(portOf(before.url), '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    const after = await start();
    expect(portOf(after.url)).not.toBe(portOf(before.url));
    squatter.close();
    await after.stop();
    expect((await start()).url).toBe(after.url);
  });

  it('says what is missing when the password is lost, and shows the log of a server that fails', async () => {
    await (await start()).stop();
    fs.renameSync(kept('postgres.json'), kept('aside'));
    await expect(start()).rejects.toThrow('postgres.json');
    fs.renameSync(kept('aside'), kept('postgres.json'));
    const control = join(kept('postgres'), 'global', 'pg_control');
    fs.renameSync(control, `${control}.aside`);
    await expect(start()).rejects.toThrow(/pg_ctl start .*pg_control/s);
    fs.renameSync(`${control}.aside`, control);
    expect(await ask((await start()).url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('makes no new cluster in the place of one that is lost', async () => {
    await (await start()).stop();
    const identity = fs.readFileSync(kept('postgres.json'), 'utf8');
    fs.renameSync(kept('postgres'), kept('aside'));
    const refused = () =>
      expect(start()).rejects.toThrow(/missing or not whole.*postgres\.json too/);
    await refused();
    // An empty mount point, or the beginning of an interrupted restore.
    fs.mkdirSync(kept('postgres'));
    await refused();
    fs.rmdirSync(kept('postgres'));
    expect(fs.readFileSync(kept('postgres.json'), 'utf8')).toBe(identity);
    fs.renameSync(kept('aside'), kept('postgres'));
    expect(await ask((await start()).url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('says what to do where something else stands in the place of the first cluster', async () => {
    const folder = makeThrowAwayFolder();
    const found = join(folder, 'postgres', 'lost+found');
    fs.mkdirSync(found, { recursive: true });
    await expect(startEmbedded({ dataDir: folder, durability: 'throw-away' })).rejects.toThrow(
      /postgres itself, but there is something in its place.*Move that away/,
    );
    expect(fs.existsSync(found)).toBe(true);
    fs.rmdirSync(found);
    const server = await startEmbedded({ dataDir: folder, durability: 'throw-away' });
    await server.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it('begins anew where a kill came before the first cluster was in its place', async () => {
    const folder = makeThrowAwayFolder();
    fs.writeFileSync(join(folder, 'postgres.json'), '{"port":0,"password":"of-none"}\n');
    const server = await startEmbedded({ dataDir: folder, durability: 'throw-away' });
    expect(server.url).not.toContain('of-none');
    await server.stop();
    fs.rmSync(folder, { recursive: true });
  });
});
