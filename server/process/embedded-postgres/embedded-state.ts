import { readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { replaceDurably } from '../../lib/durable-file.ts';

/** What has to be kept to reach a cluster again: `postgres.json`, mode 0600. */
export type Identity = { port: number; password: string };

const USER = 'postgres';
const DATABASE = 'gateway';
const PROBE_TIMEOUT_MS = 2000;
const WAIT_FOR_ANSWER_MS = 60_000;

// What breaks a probe is told by its answer.
const ignore = () => undefined;

const identityFile = (dataDir: string) => join(dataDir, 'postgres.json');
const pidFile = (dataDir: string) => join(dataDir, 'postgres', 'postmaster.pid');

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The identity of the cluster in `dataDir`, or null when there is none. */
export function readIdentity(dataDir: string): Identity | null {
  const text = readIfThere(identityFile(dataDir));
  return text === null ? null : (JSON.parse(text) as Identity);
}

/** Keeps the identity: without it the cluster is worthless. */
export function writeIdentity(dataDir: string, identity: Identity): void {
  replaceDurably(identityFile(dataDir), `${JSON.stringify(identity)}\n`);
}

/**
 * The URL of the gateway's database, or of another one on the same server. It says that there is no
 * TLS: a PGSSLMODE of the shell, meant for another server, would be asked for it in vain.
 */
export function connectionUrl(identity: Identity, port: number, database = DATABASE): string {
  return `postgresql://${USER}:${identity.password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** Whether a process with that number exists, whoever owns it; a zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const status = readIfThere(`/proc/${pid}/stat`);
  return status === null || !/\) [ZX] /.test(status);
}

/** Whether a process number still belongs to a PostgreSQL; true where nobody can tell. */
function isPostgres(pid: number): boolean {
  const name = readIfThere(`/proc/${pid}/comm`);
  return name === null || name.trim().startsWith('postgres');
}

/**
 * Whether a PostgreSQL runs on this cluster: while it runs, it works in that folder. A copy of the
 * folder holds the same postmaster.pid. True where nobody can tell: two on one would destroy it.
 */
function worksOn(dataDir: string, pid: number): boolean {
  try {
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(join(dataDir, 'postgres'))];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch {
    return true;
  }
}

/** Line 1 of postmaster.pid is the process, line 4 the port, line 8 what it is about. */
function readPidFile(dataDir: string): { pid: number; port: number; isStopping: boolean } | null {
  const lines = readIfThere(pidFile(dataDir))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const isStopping = lines[7]?.trim() === 'stopping';
  return Number.isInteger(pid) && pid > 0 ? { pid, port: port || 0, isStopping } : null;
}

const isServer = (dataDir: string, { pid }: { pid: number }): boolean =>
  isAlive(pid) && isPostgres(pid) && worksOn(dataDir, pid);

/** Removes a postmaster.pid whose number another program has by now, or another cluster's server. */
export function clearStalePidFile(dataDir: string): void {
  const stated = readPidFile(dataDir);
  if (stated && !isServer(dataDir, stated)) rmSync(pidFile(dataDir), { force: true });
}

/** The process number of the server on this cluster, whether it answers yet or not, or null. */
export function serverPid(dataDir: string): number | null {
  const stated = readPidFile(dataDir);
  return stated && isServer(dataDir, stated) ? stated.pid : null;
}

/** Whether the server with that number was told to end and has not ended yet. */
export function isStopping(dataDir: string, pid: number): boolean {
  const stated = readPidFile(dataDir);
  return stated?.pid === pid && stated.isStopping;
}

/**
 * Asks a server who it is.
 *
 * @returns `ready`, `waiting` (starting, stopping or not listening yet) or
 *   `stranger` (another server, another cluster)
 */
export async function probe(
  dataDir: string,
  identity: Identity,
  port: number,
): Promise<'ready' | 'waiting' | 'stranger'> {
  const client = new pg.Client({
    connectionString: connectionUrl(identity, port, 'postgres'),
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  });
  client.on('error', ignore);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === resolve(dataDir, 'postgres') ? 'ready' : 'stranger';
  } catch (error) {
    // 28P01 and 28000: it answers, but does not know our password.
    const code = (error as { code?: string }).code ?? '';
    return code.startsWith('28') ? 'stranger' : 'waiting';
  } finally {
    await client.end().catch(ignore);
  }
}

/** The server that runs on this cluster and answers, or null. */
export async function findRunning(
  dataDir: string,
  identity: Identity,
): Promise<{ pid: number; port: number } | null> {
  for (let waitedMs = 0; waitedMs < WAIT_FOR_ANSWER_MS; waitedMs += 50) {
    const stated = readPidFile(dataDir);
    if (!stated || !isServer(dataDir, stated)) return null;
    if (stated.port > 0) {
      const answer = await probe(dataDir, identity, stated.port);
      if (answer === 'ready') return stated;
      if (answer === 'stranger') return null;
    }
    await sleep(50);
  }
  return null;
}
