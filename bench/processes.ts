import {
  type ChildProcess,
  execFileSync,
  fork,
  type StdioOptions,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../server/testing/ports.ts';
import { WORKER_FLAGS } from '../server/worker/flags.ts';
import type { LoadJob, LoadResult } from './load.ts';
import type { PeerSettings } from './peer/settings.ts';
import { buildPeer } from './peer-build.ts';
import { profileFlags } from './profile.ts';
import type { BareSettings } from './servers/bare.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Makes a process that was started for it collect its garbage. */
export const COLLECT_SIGNAL = 'SIGUSR2';

export type Server = { port: number; pid: number; stop(): Promise<void> };

/** Ends a process; resolves once it has ended and written everything. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

const TSX = { execArgv: ['--import', 'tsx'], cwd: ROOT };

/** Starts the bare server; it reports its port. */
export async function startBare(settings: BareSettings): Promise<Server> {
  const child = fork(join(ROOT, 'bench/servers/bare.ts'), [JSON.stringify(settings)], {
    ...TSX,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

const PEER = join(ROOT, 'bench/peer');
const NEXT = join(ROOT, 'node_modules/next/dist/bin/next');

/**
 * Starts the peer, the ordinary way to write such an API: a separate Next application with route
 * handlers and the Prisma client.
 */
export async function startPeer(settings: PeerSettings, folder: string): Promise<Server> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATA_DIR: folder,
  } as const;
  const logFile = openSync(join(folder, 'peer.log'), 'a');
  const stdio: StdioOptions = ['ignore', logFile, logFile];
  await buildPeer(ROOT, NEXT, { env, stdio, logPath: join(folder, 'peer.log') });
  const port = await freePort();
  const child = spawn(process.execPath, [NEXT, 'start', '-p', String(port)], {
    cwd: PEER,
    env: { ...env, PEER_SETTINGS: JSON.stringify(settings) },
    stdio,
  });
  const url = `http://127.0.0.1:${port}/api/sandbox/invoice/status`;
  // It answers 401 to a stranger.
  await untilAnswered(child, url, 401, join(folder, 'peer.log'));
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

async function untilAnswered(child: ChildProcess, url: string, status: number, logFile: string) {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  child.kill('SIGKILL');
  throw new Error(`A server does not become ready; see ${logFile}`);
}

/** Starts the `web` process as `npm start` does, except for limits that a benchmark would reach. */
export async function startGateway(options: {
  databaseUrl: string;
  poolSize: number;
  folder: string;
  /** The process's COALESCE. */
  coalesce: 'on' | 'off';
  /** Whether it collects its garbage at COLLECT_SIGNAL. */
  collectsOnSignal?: boolean;
}): Promise<Server> {
  const { coalesce, collectsOnSignal } = options;
  // The gateway with its default settings.
  const profile = coalesce === 'on' ? profileFlags('web') : [];
  const tsx = ['--import', 'tsx'];
  const collect = collectsOnSignal
    ? ['--expose-gc', ...tsx, '--import', './bench/collect-on-signal.ts']
    : tsx;
  const port = await freePort();
  const logFile = openSync(join(options.folder, 'web.log'), 'a');
  const child = spawn(process.execPath, [...profile, ...collect, 'server/web/http.ts'], {
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
      COALESCE: coalesce,
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '10000000',
    },
  });
  const logPath = join(options.folder, 'web.log');
  await untilAnswered(child, `http://127.0.0.1:${port}/api/health`, 200, logPath);
  return { port, pid: child.pid ?? 0, stop: () => end(child) };
}

/** Starts the `worker` process; its log is beside that of `web`. */
export function startWorker(options: { databaseUrl: string; folder: string }): {
  pid: number;
  stop(): Promise<void>;
} {
  const logFile = openSync(join(options.folder, 'worker.log'), 'a');
  const flags = [...profileFlags('worker'), ...WORKER_FLAGS, '--import', 'tsx'];
  const child = spawn(process.execPath, [...flags, 'server/worker/worker.ts'], {
    cwd: ROOT,
    stdio: ['ignore', logFile, logFile],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:1',
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.folder,
    },
  });
  return { pid: child.pid ?? 0, stop: () => end(child) };
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

export type LoadGenerator = {
  run(job: LoadJob): Promise<LoadResult>;
  /** Ends a job that would go on until then. */
  finish(): void;
  stop(): void;
};

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
    finish: () => void child.send('finish'),
    stop: () => void child.kill(),
  };
}
