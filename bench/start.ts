// How long a second `npm start` takes until `/api/health` answers 200: dependencies, build,
// database and merchant exist, and everything is checked and started again.
//
//   npm run bench -- start [--quick]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWhenStale } from '../server/process/build.ts';
import { freePort } from '../server/testing/ports.ts';
import { median } from './samples.ts';
import { keep, say, settle, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 1 : 5;
const BAR_S = 5;
const POLL_MS = 20;
const WITHIN_MS = 60_000;

async function untilHealthy(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (answer?.status === 200) return;
    await sleep(POLL_MS);
  }
  throw new Error('`npm start` does not become healthy.');
}

/** Starts, waits and ends; returns the seconds from the command to the answer. */
async function startOnce(folder: string, port: number): Promise<number> {
  const startedMs = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      DATABASE_URL: '',
      PUBLIC_URL: '',
      PORT: String(port),
    },
  });
  const exited = once(child, 'exit');
  await untilHealthy(child, port);
  const seconds = (performance.now() - startedMs) / 1000;
  child.kill('SIGTERM');
  await exited;
  // npm may end before the processes it started.
  while (existsSync(join(folder, 'gateway.lock'))) await sleep(POLL_MS);
  return seconds;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  await buildWhenStale();
  const port = await freePort();
  try {
    say(`the first on an empty folder: ${(await startOnce(folder, port)).toFixed(1)} s`);
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) seconds.push(await startOnce(folder, port));
    const verdict: Verdict = {
      name: 'second `npm start` until it is healthy, seconds',
      measured: median(seconds),
      spread: spreadOf(seconds),
      bar: BAR_S,
      isLimit: true,
    };
    say(`\n${verdictTable([verdict])}\n`);
    keep('start', { seconds, verdict });
    settle([verdict]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
