import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../../lib/process-lock.js';
import { inDataDir, makeDataDir } from '../../settings/data-dir.ts';
import {
  createCluster,
  createDatabase,
  type Durability,
  holdsCluster,
  isEmpty,
  launch,
  type Running,
} from './embedded-cluster.ts';
import { chooseAccount, findPrograms } from './embedded-programs.ts';
import {
  connectionUrl,
  findRunning,
  type Identity,
  isAlive,
  isStopping,
  readIdentity,
  serverPid,
} from './embedded-state.ts';

/** A running embedded PostgreSQL. */
export type EmbeddedServer = {
  /** For DATABASE_URL; holds the password. */
  url: string;
  /** The postmaster's process id. */
  pid: number;
  /** False when it ran already: another process started it, or left it behind. */
  startedHere: boolean;
  /** Resolves when the server is gone, for whatever reason. */
  exited: Promise<void>;
  /**
   * Whether it was told to end and still runs. After a SIGTERM it takes no new clients from then
   * on, and ends when the last one has left.
   */
  isStopping(): boolean;
  /** Ends it cleanly: sessions are cut, a checkpoint is written. */
  stop(): Promise<void>;
};

const WATCH_EVERY_MS = 250;
const STOP_WITHIN_MS = 30_000;
const CUT_WITHIN_MS = 10_000;
const LOCK_POLL_MS = 50;
const LOCK_WITHIN_MS = 180_000;

async function untilGone(pid: number, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += 20) {
    if (!isAlive(pid)) return true;
    await sleep(20);
  }
  return !isAlive(pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its "immediate" one. */
async function stop(pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  if (await untilGone(pid, STOP_WITHIN_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await untilGone(pid, CUT_WITHIN_MS)) return;
  throw new Error(`The embedded PostgreSQL (pid ${pid}) does not stop.`);
}

// Watched by its pid, not by an exit event: the server may be another process's child.
function watch(pid: number): { exited: Promise<void>; look(): void } {
  let look: () => void = () => undefined;
  const exited = new Promise<void>((resolve) => {
    look = () => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve();
    };
    const timer = setInterval(look, WATCH_EVERY_MS);
    timer.unref();
  });
  return { exited, look };
}

function toServer(
  { dataDir, identity }: { dataDir: string; identity: Identity },
  running: Running,
  startedHere: boolean,
): EmbeddedServer {
  const { pid } = running;
  const { exited, look } = watch(pid);
  return {
    url: connectionUrl(identity, running.port),
    pid,
    startedHere,
    exited,
    isStopping: () => isStopping(dataDir, pid),
    // The watch keeps no process alive: without a look at once, one with nothing else to
    // do would end while it waits for `exited`.
    stop: () => stop(pid).then(look),
  };
}

/**
 * Tells the embedded PostgreSQL of `dataDir`, starting or running, to end, and waits for nothing:
 * for a process that itself ends at once. PostgreSQL then ends by itself, cleanly.
 */
export function dismissEmbedded(dataDir: string): void {
  const pid = serverPid(dataDir);
  if (pid !== null) signal(pid, 'SIGINT');
}

/** Two processes that start at once must not both make the cluster. */
async function waitForLock(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'postgres.lock');
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    const lock = inDataDir(dataDir, () => takeLock(path));
    if (lock.taken) return lock.release;
    if (waitedMs >= LOCK_WITHIN_MS) {
      throw new Error(`Process ${lock.holderPid} holds ${path}: it is starting PostgreSQL there.`);
    }
    await sleep(LOCK_POLL_MS);
  }
}

/**
 * The identity of the cluster that was made in `dataDir`.
 *
 * @throws Error when one of the two is lost: a new one would take the other's place unnoticed
 */
function identityOfCluster(dataDir: string): Identity {
  const identity = readIdentity(dataDir);
  const file = join(dataDir, 'postgres.json');
  const folder = join(dataDir, 'postgres');
  if (!identity) {
    throw new Error(
      `${file}, which holds the password of the embedded PostgreSQL, is missing. ` +
        'Put it back, or move the folder `postgres` beside it away to begin anew.',
    );
  }
  if (!holdsCluster(dataDir)) {
    throw new Error(
      `${folder}, which holds the data of the embedded PostgreSQL, is missing or not whole. ` +
        'If its data has moved to a PostgreSQL of your own, set DATABASE_URL. Otherwise bring it ' +
        'back, as it was. To begin anew without that data, move away what is left of it, and ' +
        `${file} too.`,
    );
  }
  return identity;
}

/**
 * The embedded PostgreSQL of `dataDir` if it runs and answers, else null.
 *
 * Whatever a kill -9 left behind (a stale postmaster.pid, one whose number now
 * belongs to another program) counts as not running.
 */
export async function findEmbedded(dataDir: string): Promise<EmbeddedServer | null> {
  const identity = readIdentity(dataDir);
  const running = identity && (await findRunning(dataDir, identity));
  return identity && running ? toServer({ dataDir, identity }, running, false) : null;
}

/**
 * Starts the embedded PostgreSQL of `dataDir`, creating its cluster the first
 * time, or takes over the one that runs there already (left by a kill -9).
 *
 * It listens on 127.0.0.1 only, on a port that it keeps from start to start
 * where that is free. It runs in a process group of its own, so that Ctrl-C in a
 * terminal does not reach it before those that use it. Its log is
 * `postgres.log` in `dataDir`.
 *
 * @param options.durability `throw-away` turns fsync off: for tests only
 * @throws Error with the end of PostgreSQL's log when it does not start; when its cluster or the
 *   password of that is lost
 */
export async function startEmbedded(options: {
  dataDir: string;
  durability?: Durability;
}): Promise<EmbeddedServer> {
  const { dataDir, durability = 'safe' } = options;
  makeDataDir(dataDir);
  const release = await waitForLock(dataDir);
  try {
    const known = readIdentity(dataDir);
    const found = known && (await findRunning(dataDir, known));
    if (found) {
      // A kill -9 may have come before it was there.
      await createDatabase(known, found.port);
      return toServer({ dataDir, identity: known }, found, false);
    }
    const dataFolder = join(dataDir, 'postgres');
    const programs = await findPrograms(dataFolder);
    const account = chooseAccount(programs, dataFolder);
    const place = { dataDir, programs, account, durability };
    const identity = isEmpty(dataDir) ? await createCluster(place) : identityOfCluster(dataDir);
    const launched = await launch(place, identity);
    await createDatabase(identity, launched.port);
    return toServer({ dataDir, identity }, launched, true);
  } finally {
    release();
  }
}
