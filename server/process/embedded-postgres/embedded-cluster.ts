import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { childEnvironment } from '../../settings/settings.ts';
import type { Account, Programs } from './embedded-programs.ts';
import {
  clearStalePidFile,
  connectionUrl,
  type Identity,
  probe,
  readIdentity,
  writeIdentity,
} from './embedded-state.ts';

/** `throw-away` loses data in a crash of the machine and is several times faster. */
export type Durability = 'safe' | 'throw-away';

export type Place = {
  dataDir: string;
  programs: Programs;
  account: Account;
  durability: Durability;
};

export type Running = { pid: number; port: number };

const FLAGS: Record<Durability, string[]> = {
  safe: [],
  'throw-away': ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
};
const SHARED_FLAGS = [
  'listen_addresses=127.0.0.1',
  // Sockets in /tmp would be one more way in, and collide between clusters.
  'unix_socket_directories=',
  'max_connections=200',
  'max_wal_size=2GB',
  'timezone=UTC',
  'log_timezone=UTC',
  'jit=off',
];
const ATTEMPTS = 5;
const READY_WITHIN_MS = 120_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
// Below the range from which Linux and macOS take ports for outgoing connections.
const PORTS = { first: 15_000, last: 30_000 };

/** Whether `dataDir` holds a cluster: `PG_VERSION` is there from its first moment on. */
export function holdsCluster(dataDir: string): boolean {
  return fs.existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/** Whether `dataDir` holds no cluster and none has run there: one that has left its port. */
export function isEmpty(dataDir: string): boolean {
  return !holdsCluster(dataDir) && !readIdentity(dataDir)?.port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

async function choosePort(preferred: number): Promise<number> {
  for (let port = preferred; ; port = randomInt(PORTS.first, PORTS.last)) {
    if (port > 0 && (await isFree(port))) return port;
  }
}

function run(place: Place, program: string, args: string[], output: number): ChildProcess {
  const [command = program, ...rest] = [...place.account.prefix, program, ...args];
  // With a prefix, that program changes the user itself.
  const user: Partial<Account> = place.account.prefix.length > 0 ? {} : place.account;
  return spawn(command, rest, {
    cwd: '/',
    detached: true,
    env: childEnvironment({ LC_ALL: 'C', LC_MESSAGES: 'C' }),
    stdio: ['ignore', output, output],
    ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, name) => resolve(name ?? `exit code ${code}`));
  });
}

const logFile = (dataDir: string) => join(dataDir, 'postgres.log');

function openLog(dataDir: string): number {
  const path = logFile(dataDir);
  const size = fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return fs.openSync(path, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

function failure(dataDir: string, what: string): Error {
  const tail = fs.readFileSync(logFile(dataDir), 'utf8').trimEnd().split('\n').slice(-12);
  return new Error(
    `The embedded PostgreSQL ${what}. The end of ${logFile(dataDir)}:\n${tail.join('\n')}`,
  );
}

// Not overwritten: what is there was put there by somebody, and may be a disk of its own.
function putInPlace(draft: string, folder: string): void {
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL makes ${folder} itself, but there is something in its place ` +
        `(${(error as Error).message}). Move that away. Where a disk is mounted there, mount it ` +
        `at ${dirname(folder)} instead.`,
      { cause: error },
    );
  }
}

/**
 * Makes the cluster. It grows in `postgres.new` and is renamed when it is whole,
 * so that a kill in between leaves nothing that looks like a cluster.
 *
 * @throws Error when initdb fails, or something else stands in the cluster's place
 */
export async function createCluster(place: Place): Promise<Identity> {
  const { dataDir, account } = place;
  const draft = join(dataDir, 'postgres.new');
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { mode: 0o700 });
  const identity = { port: 0, password: randomBytes(24).toString('hex') };
  const passwordFile = join(draft, '..', 'postgres.password');
  fs.writeFileSync(passwordFile, `${identity.password}\n`, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    fs.chownSync(draft, account.uid, account.gid);
    fs.chownSync(passwordFile, account.uid, account.gid);
  }
  const output = openLog(dataDir);
  try {
    const child = run(
      place,
      place.programs.initdb,
      [
        `--pgdata=${draft}`,
        `--pwfile=${passwordFile}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        // The same order as the C library's, found by comparing bytes: nearly all keys are text.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(place.durability === 'throw-away' ? ['--no-sync'] : []),
      ],
      output,
    );
    const end = await ended(child);
    if (end !== 'exit code 0') throw failure(dataDir, `could not be set up (${end})`);
  } finally {
    fs.closeSync(output);
    fs.rmSync(passwordFile, { force: true });
  }
  // The identity first: a cluster whose password is lost would be worthless.
  writeIdentity(dataDir, identity);
  putInPlace(draft, join(dataDir, 'postgres'));
  return identity;
}

async function launchOnce(place: Place, identity: Identity): Promise<Running | string> {
  const { dataDir } = place;
  clearStalePidFile(dataDir);
  const port = await choosePort(identity.port);
  const flags = [...SHARED_FLAGS, ...FLAGS[place.durability], `port=${port}`];
  const output = openLog(dataDir);
  const child = run(
    place,
    place.programs.postgres,
    ['-D', join(dataDir, 'postgres'), ...flags.flatMap((flag) => ['-c', flag])],
    output,
  );
  fs.closeSync(output);
  child.unref();
  let end: string | null = null;
  void ended(child).then((how) => {
    end = how;
  });
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += 20) {
    if (end !== null) return end;
    if ((await probe(dataDir, identity, port)) === 'ready') return { pid: child.pid ?? 0, port };
    await sleep(20);
  }
  child.kill('SIGQUIT');
  return `no answer within ${READY_WITHIN_MS / 1000} s`;
}

/** The gateway's own database; the cluster's `postgres` one stays for maintenance. */
export async function createDatabase(identity: Identity, port: number): Promise<void> {
  const client = new pg.Client({
    connectionString: connectionUrl(identity, port, 'postgres'),
  });
  // The statement that it breaks rejects as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = 'gateway'`);
    if (rowCount === 0) await client.query('CREATE DATABASE gateway');
  } finally {
    await client.end();
  }
}

/**
 * Starts the server on an existing cluster and waits until it answers. Tries
 * again for a while: right after a kill -9 the old server's children may still
 * hold its shared memory, and a port can be taken between the look and the bind.
 */
export async function launch(place: Place, identity: Identity): Promise<Running> {
  let end = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const outcome = await launchOnce(place, identity);
    if (typeof outcome !== 'string') {
      if (outcome.port !== identity.port) {
        writeIdentity(place.dataDir, { ...identity, port: outcome.port });
      }
      return outcome;
    }
    end = outcome;
    await sleep(attempt * 300);
  }
  throw failure(place.dataDir, `does not start (${end})`);
}
