import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load.ts';
import type { BareSettings } from './servers/bare.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

export type Server = { port: number; pid: number; stop(): void };

const TSX = { execArgv: ['--import', 'tsx'], cwd: ROOT };

/** Starts the bare server; it reports its port. */
export async function startBare(settings: BareSettings): Promise<Server> {
  const child = fork(join(ROOT, 'bench/servers/bare.ts'), [JSON.stringify(settings)], {
    ...TSX,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? 0, stop: () => void child.kill() };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the `web` process as `npm start` does, but for limits that a benchmark would run into. */
export async function startGateway(options: {
  databaseUrl: string;
  poolSize: number;
  folder: string;
}): Promise<Server> {
  const port = await freePort();
  const logFile = openSync(join(options.folder, 'web.log'), 'a');
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/http.ts'], {
    cwd: ROOT,
    stdio: ['ignore', logFile, logFile],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL_SIZE: String(options.poolSize),
      DATA_DIR: options.folder,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '10000000',
    },
  });
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null) break;
    const health = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (health?.ok) return { port, pid: child.pid ?? 0, stop: () => void child.kill() };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  child.kill('SIGKILL');
  throw new Error(`The gateway does not become healthy; see ${join(options.folder, 'web.log')}`);
}

export type LoadGenerator = { run(job: LoadJob): Promise<LoadResult>; stop(): void };

/** Starts the load generator, which runs one job at a time. */
export function startLoadGenerator(): LoadGenerator {
  const child: ChildProcess = fork(join(ROOT, 'bench/load.ts'), TSX);
  return {
    async run(job) {
      child.send(job);
      const [answer] = (await once(child, 'message')) as [{ result?: LoadResult; error?: string }];
      if (answer.result === undefined) throw new Error(answer.error);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
}
