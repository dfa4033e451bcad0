import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPool } from '../db/pool.ts';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import {
  databaseUrl,
  teardown as endDatabase,
  setup as startDatabase,
  TEMPLATE,
} from './global-setup.ts';
import { freePort } from './ports.ts';

/** A transport of the REST API, as a running process. */
export type Transport = { name: string; origin: string };

declare module 'vitest' {
  interface ProvidedContext {
    transports: Transport[];
    /** The database behind all of them. */
    contractDatabaseUrl: string;
  }
}

const DATABASE = 'contract';
/** As our own server: by default Next, after a stall of five seconds, closes connections in use. */
const KEEP_ALIVE_MS = 65_000;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

// One of them shares statements and the other does not: both must keep the contract, and agree.
type Kind = { name: string; coalesce: 'on' | 'off'; command(port: string): string[] };
const TRANSPORTS: Kind[] = [
  {
    name: 'our own server',
    coalesce: 'on',
    command: () => ['--import', 'tsx', 'server/web/http.ts'],
  },
  {
    name: 'next start',
    coalesce: 'off',
    command: (port) => [
      'node_modules/next/dist/bin/next',
      'start',
      ...['-p', port, '--keepAliveTimeout', String(KEEP_ALIVE_MS)],
    ],
  },
];

const children: ChildProcess[] = [];
const folders: string[] = [];

/** Waits until a gateway reports that it is healthy; otherwise its output is shown. */
export async function untilHealthy(
  origin: string,
  child: ChildProcess,
  output: string[],
): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${origin}/api/health`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${origin} does not become healthy:\n${output.join('')}`);
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

type ContractDatabase = { url: string; dataDir: string };

/** Starts a process of the gateway with production settings and default limits. */
async function startTransport(
  { coalesce, command }: Kind,
  { url, dataDir }: ContractDatabase,
): Promise<string> {
  const port = await freePort();
  const env = childEnvironment({
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: 'http://localhost:1',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    COALESCE: coalesce,
    // Below what a busy machine answers in a second, so that a burst can be used up.
    RATE_LIMIT_PER_SECOND: '50',
    // The suite chooses its calls' address: a failure is counted by address.
    TRUSTED_PROXY_HOPS: '1',
  });
  const child = spawn(process.execPath, command(String(port)), { env, cwd: projectRoot() });
  const output: string[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()));
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  await untilHealthy(origin, child, output);
  return origin;
}

/** Starts all transports on one fresh database. */
export async function setup(project: TestProject): Promise<void> {
  if (!existsSync(join(projectRoot(), '.next', 'BUILD_ID'))) {
    throw new Error('The contract suite needs a production build: npm run build');
  }
  await startDatabase(project);
  const serverUrl = project.getProvidedContext().postgresUrl;
  const pool = openPool(serverUrl, 1);
  await pool.query(`CREATE DATABASE ${DATABASE} TEMPLATE ${TEMPLATE}`);
  await pool.end();
  const url = databaseUrl(serverUrl, DATABASE);
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-contract-'));
  folders.push(dataDir);
  const transports: Transport[] = [];
  for (const kind of TRANSPORTS) {
    transports.push({ name: kind.name, origin: await startTransport(kind, { url, dataDir }) });
  }
  project.provide('transports', transports);
  project.provide('contractDatabaseUrl', url);
}

/** Ends all transports, then the database. */
export async function teardown(): Promise<void> {
  await Promise.all(children.map(stop));
  await endDatabase();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
