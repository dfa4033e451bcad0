import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../db/pool.ts';
import { takeLock } from '../../lib/process-lock.js';
import { inDataDir, makeDataDir } from '../../settings/data-dir.ts';
import {
  choosePort,
  clusterOf,
  createCluster,
  type Durability,
  type Identity,
  identityOfCluster,
  isEmpty,
  readIdentity,
  writeIdentity,
} from './embedded-cluster.ts';
import { findPlace, type Place, runProgram } from './embedded-programs.ts';

/** A running embedded PostgreSQL. */
export type EmbeddedServer = {
  /** For DATABASE_URL; contains the password. */
  url: string;
  /** The postmaster's process id. */
  pid: number;
  /** False when it already ran: another process started it, or left it behind. */
  startedHere: boolean;
  /** Resolves when the server is gone, for any reason. */
  untilGone(): Promise<void>;
  /**
   * Whether it was told to end and still runs. After a SIGTERM it takes no new clients, and ends
   * when the last one has left.
   */
  isStopping(): boolean;
  /** Ends it cleanly: sessions are cut, and a checkpoint is written. */
  stop(): Promise<void>;
};

/** The server's data in postmaster.pid. */
type Running = { pid: number; port: number; status: string };

type Launched = { pid: number; port: number; startedHere: boolean };

const FLAGS = {
  listen_addresses: '127.0.0.1',
  // Sockets in /tmp would be one more way in, and would collide between clusters.
  unix_socket_directories: '',
  max_connections: '200',
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
};
const THROW_AWAY_FLAGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const ATTEMPTS = 5;
const READY_WITHIN_S = 120;
const READY_AFTER_ANOTHER_MS = 60_000;
const STOP_WITHIN_S = 30;
const CUT_WITHIN_S = 10;
const LOOK_EVERY_MS = 50;
const LOCK_WITHIN_MS = 180_000;

const pidFile = (dataDir: string) => join(clusterOf(dataDir), 'postmaster.pid');

/**
 * Whether a process is this cluster's server, which has the cluster as its working directory. After
 * a kill -9 the number in postmaster.pid may belong to another program, and a copy of the folder
 * holds it too: `pg_ctl status` and `pg_ctl stop` check neither.
 */
function isServer(dataDir: string, pid: number): boolean {
  try {
    // Without /proc nobody can tell; it counts, since two servers would destroy the cluster.
    if (!fs.existsSync('/proc/self')) return process.kill(pid, 0);
    const [its, ours] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(clusterOf(dataDir))];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The data in postmaster.pid of this cluster's server, or null where none runs. */
function readServer(dataDir: string): Running | null {
  if (!fs.existsSync(pidFile(dataDir))) return null;
  // Line 1 is the process id, line 4 the port, line 8 the status.
  const lines = fs.readFileSync(pidFile(dataDir), 'utf8').split('\n');
  const [pid, port, status = ''] = [Number(lines[0]), Number(lines[3]), lines[7]?.trim()];
  return pid > 0 && isServer(dataDir, pid) ? { pid, port, status } : null;
}

/** The process id of this cluster's server, whether it answers yet or not, or null. */
export function serverPid(dataDir: string): number | null {
  return readServer(dataDir)?.pid ?? null;
}

/** Waits for a server that another process has started, or that is about to end. */
async function findRunning(dataDir: string): Promise<Running | null> {
  for (let waitedMs = 0; waitedMs < READY_AFTER_ANOTHER_MS; waitedMs += LOOK_EVERY_MS) {
    const server = readServer(dataDir);
    if (!server || server.status === 'ready') return server;
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}

/**
 * Starts the server on an existing cluster and waits until it answers, or finds a running one. It
 * retries for a while: right after a kill -9 the old server's children may still hold its shared
 * memory, and the port can be taken before the bind.
 */
async function launch(place: Place, identity: Identity, durability: Durability): Promise<Launched> {
  const { dataDir, programs } = place;
  let failure: unknown;
  for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
    const running = await findRunning(dataDir);
    if (running) return { ...running, startedHere: attempt > 0 };
    if (serverPid(dataDir) === null) fs.rmSync(pidFile(dataDir), { force: true });
    await sleep(attempt * 300);
    const port = await choosePort(identity.port);
    const flags = { ...FLAGS, ...(durability === 'safe' ? {} : THROW_AWAY_FLAGS), port };
    const options = Object.entries(flags).map(([name, value]) => `-c ${name}=${value}`);
    const how = [`--timeout=${READY_WITHIN_S}`, '-p', programs.postgres, '-o', options.join(' ')];
    try {
      await control(place, 'start', ...how);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function control(place: Place, command: 'start' | 'stop', ...how: string[]): Promise<void> {
  const folder = `--pgdata=${clusterOf(place.dataDir)}`;
  return runProgram(place, 'pg_ctl', [command, '--silent', '--wait', folder, ...how]);
}

/** Makes the gateway's own database; the cluster's `postgres` one stays for maintenance. */
async function ensureDatabase(identity: Identity): Promise<void> {
  const pool = openPool(connectionUrl(identity, 'postgres'), 1);
  try {
    const { rowCount } = await pool.query(`SELECT FROM pg_database WHERE datname = 'gateway'`);
    if (rowCount === 0) await pool.query('CREATE DATABASE gateway');
  } finally {
    await pool.end();
  }
}

/**
 * The URL of one of the server's databases. It disables TLS: a PGSSLMODE in the shell, meant for
 * another server, would ask for it in vain.
 */
function connectionUrl({ password, port }: Identity, database: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

async function stop(place: Place, pid: number): Promise<void> {
  const end = async (mode: string, withinS: number): Promise<void> => {
    // Another server may have replaced an ended one by now.
    if (serverPid(place.dataDir) !== pid) return;
    await control(place, 'stop', `--mode=${mode}`, `--timeout=${withinS}`);
  };
  await end('fast', STOP_WITHIN_S).catch(() => end('immediate', CUT_WITHIN_S));
}

function toServer(place: Place, password: string, launched: Launched): EmbeddedServer {
  const { dataDir } = place;
  const { pid, port, startedHere } = launched;
  const untilGone = async (): Promise<void> => {
    while (isServer(dataDir, pid)) await sleep(LOOK_EVERY_MS);
  };
  return {
    url: connectionUrl({ password, port }, 'gateway'),
    pid,
    startedHere,
    untilGone,
    isStopping: () => {
      const server = readServer(dataDir);
      return server?.pid === pid && server.status === 'stopping';
    },
    stop: () => stop(place, pid).then(untilGone),
  };
}

/**
 * Tells the embedded PostgreSQL of `dataDir`, starting or running, to end, without waiting: for a
 * process that ends at once itself. PostgreSQL then shuts down cleanly by itself.
 */
export function dismissEmbedded(dataDir: string): void {
  const pid = serverPid(dataDir);
  try {
    // SIGINT is PostgreSQL's "fast" shutdown.
    if (pid !== null) process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Two processes that start together must not both make the cluster. */
async function waitForLock(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'postgres.lock');
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const lock = inDataDir(dataDir, () => takeLock(path));
    if (lock.taken) return lock.release;
    if (waitedMs >= LOCK_WITHIN_MS) {
      throw new Error(`Process ${lock.holderPid} holds ${path}: it is starting PostgreSQL there.`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * The embedded PostgreSQL of `dataDir` if it runs and answers, otherwise null.
 *
 * A postmaster.pid left by a kill -9 counts as not running, even if its number now belongs to
 * another program.
 */
export async function findEmbedded(dataDir: string): Promise<EmbeddedServer | null> {
  const identity = readIdentity(dataDir);
  const running = identity && (await findRunning(dataDir));
  if (!running) return null;
  const place = await findPlace(dataDir);
  return toServer(place, identity.password, { ...running, startedHere: false });
}

/**
 * Starts the embedded PostgreSQL of `dataDir`, creating its cluster the first time, or takes over a
 * running one (left by a kill -9).
 *
 * It listens on 127.0.0.1 only, and keeps its port from start to start while that is free. It has
 * its own process group, so that Ctrl-C in a terminal does not reach it before its clients. Its log
 * is `postgres.log` in `dataDir`.
 *
 * @param options.durability `throw-away` turns fsync off: for tests only
 * @throws Error with the end of PostgreSQL's log when it does not start; when its cluster or the
 *   cluster's password is lost
 */
export async function startEmbedded(options: {
  dataDir: string;
  durability?: Durability;
}): Promise<EmbeddedServer> {
  const { dataDir, durability = 'safe' } = options;
  makeDataDir(dataDir);
  const release = await waitForLock(dataDir);
  try {
    const place = await findPlace(dataDir);
    const identity = isEmpty(dataDir)
      ? await createCluster(place, durability)
      : identityOfCluster(dataDir);
    const launched = await launch(place, identity, durability);
    const { password } = identity;
    const { port } = launched;
    if (port !== identity.port) writeIdentity(dataDir, { port, password });
    // A kill -9 may have come before the database was made.
    await ensureDatabase({ port, password });
    return toServer(place, password, launched);
  } finally {
    release();
  }
}
