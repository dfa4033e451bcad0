import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { standInSettings } from '#server/testing/acquirers/stand-ins.ts';
import { freePort } from '#server/testing/ports.ts';
import { testAcquirers } from './acquirers.ts';
import { childPid, isHealthy, isRunning, postgresPid, until } from './processes.ts';

// `npm start` promises this: dead processes come back, nothing is left behind, nothing is lost.

type Started = { process: ChildProcess; pid: number; output: () => string };

let dataDir: string;
let port: number;
let origin: string;
let acquirerPort: number;
const started: ChildProcess[] = [];

function start(): Started {
  const child = spawn(process.execPath, ['server/bootstrap.js', 'start'], {
    // The test runner's own mode and database are left out.
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '',
      ...standInSettings({
        payme: acquirerPort,
        click: acquirerPort,
        multicard: acquirerPort,
        stripe: acquirerPort,
        yookassa: acquirerPort,
      }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  const collect = (data: Buffer): void => {
    output += data.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { process: child, pid: child.pid ?? 0, output: () => output };
}

async function startAndWait(): Promise<Started> {
  const run = start();
  await until('the start', 60_000, () => {
    if (run.process.exitCode !== null) throw new Error('it ended');
    return run.output().includes('The gateway is running');
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${run.output()}`, { cause: error });
  });
  return run;
}

function exitOf(run: Started): Promise<number | null> {
  return new Promise((resolve) => {
    if (run.process.exitCode !== null) resolve(run.process.exitCode);
    else run.process.once('exit', (code) => resolve(code));
  });
}

function merchantOf(run: Started): string | undefined {
  return /Demo merchant\s+(\S+)/.exec(run.output())?.[1];
}

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'gateway-processes-'));
  port = await freePort();
  acquirerPort = await freePort();
  origin = `http://127.0.0.1:${port}`;
});

test.afterAll(async () => {
  const database = postgresPid(dataDir);
  for (const child of started) child.kill('SIGTERM');
  await until('the end', 30_000, () => started.every((child) => !isRunning(child.pid ?? 0)));
  if (database !== undefined && isRunning(database)) process.kill(database, 'SIGQUIT');
  await until('PostgreSQL’s end', 10_000, () => database === undefined || !isRunning(database));
  rmSync(dataDir, { recursive: true, force: true });
});

let run: Started;

test('a start ends healthy and prints a merchant, tokens and a curl command', async () => {
  run = await startAndWait();
  expect(await isHealthy(origin)).toBe(true);
  expect(run.output()).toMatch(/gw_sandbox_\w+/);
  expect(run.output()).toContain(`curl -s http://localhost:${port}/api/sandbox/invoice/create`);
});

test.describe('acquirers', () => {
  testAcquirers(
    () => ({
      dataDir,
      publicUrl: `http://localhost:${port}`,
      merchantId: merchantOf(run) ?? '',
      sandboxToken: /gw_sandbox_\w+/.exec(run.output())?.[0] ?? '',
    }),
    () => acquirerPort,
  );
});

test('a second start on the same folder is refused with a reason', async () => {
  const second = start();
  expect(await exitOf(second)).toBe(1);
  expect(second.output()).toContain('already runs on');
  expect(await isHealthy(origin)).toBe(true);
});

for (const part of ['http.ts', 'worker.ts']) {
  test(`${part} comes back after kill -9`, async () => {
    const before = childPid(run.pid, part) ?? 0;
    expect(before).toBeGreaterThan(0);
    process.kill(before, 'SIGKILL');
    await until('another process', 10_000, () => {
      const now = childPid(run.pid, part);
      return now !== undefined && now !== before;
    });
    await until('health', 30_000, () => isHealthy(origin));
  });
}

test('PostgreSQL comes back after kill -9, and web reconnects by itself', async () => {
  const before = postgresPid(dataDir) ?? 0;
  const web = childPid(run.pid, 'http.ts');
  process.kill(before, 'SIGKILL');
  await until('another PostgreSQL', 30_000, () => {
    const now = postgresPid(dataDir);
    return now !== undefined && now !== before && isRunning(now);
  });
  await until('health', 30_000, () => isHealthy(origin));
  expect(childPid(run.pid, 'http.ts')).toBe(web);
});

test('after kill -9 of the supervisor nothing holds the port, and the next start keeps all', async () => {
  const children = ['http.ts', 'worker.ts'].map((part) => childPid(run.pid, part) ?? 0);
  process.kill(run.pid, 'SIGKILL');
  await until('the children’s end', 20_000, () => children.every((pid) => !isRunning(pid)));
  const next = await startAndWait();
  expect(merchantOf(next)).toBe(merchantOf(run));
  expect(await isHealthy(origin)).toBe(true);
  run = next;
});

test('SIGTERM ends web, worker and PostgreSQL and exits with 0', async () => {
  const pids = ['http.ts', 'worker.ts'].map((part) => childPid(run.pid, part) ?? 0);
  pids.push(postgresPid(dataDir) ?? 0);
  run.process.kill('SIGTERM');
  expect(await exitOf(run)).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(path.join(dataDir, 'gateway.lock'))).toBe(false);
});

test('a second signal cuts off what is still answered, and leaves nothing behind', async () => {
  const cut = await startAndWait();
  const pids = ['http.ts', 'worker.ts'].map((part) => childPid(cut.pid, part) ?? 0);
  pids.push(postgresPid(dataDir) ?? 0);
  // The web waits for a request whose body never ends, so that the shutdown takes a while.
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(
    'POST /api/sandbox/invoice/create HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
  );
  await sleep(200);
  cut.process.kill('SIGINT');
  await until('the first signal', 5_000, () => cut.output().includes('Ctrl-C again ends at once'));
  // A sooner signal counts as an echo of the first, which npm may send.
  await sleep(600);
  cut.process.kill('SIGINT');
  expect(await exitOf(cut)).toBe(1);
  await until('the end of all', 10_000, () => !pids.some(isRunning));
  expect(existsSync(path.join(dataDir, 'gateway.lock'))).toBe(false);
  client.destroy();
});

test('a port in use is a clear message, and nothing is started', async () => {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, resolve));
  const blocked = start();
  expect(await exitOf(blocked)).toBe(1);
  expect(blocked.output()).toContain(`Port ${port} is in use`);
  expect(postgresPid(dataDir)).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
});
