import { randomBytes, randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { replaceDurably } from '../../settings/durable-file.ts';
import { whyPortIsUnusable } from '../readiness.ts';
import { type Place, runProgram } from './embedded-programs.ts';

/** What is needed to reach a cluster again: `postgres.json`, mode 0600. */
export type Identity = { port: number; password: string };

/** `throw-away` loses data if the machine crashes and is several times faster. */
export type Durability = 'safe' | 'throw-away';

// Below the range that Linux and macOS use for outgoing connections.
const PORTS = { first: 15_000, last: 30_000 };

/** The cluster's folder in a data folder. */
export const clusterOf = (dataDir: string) => join(dataDir, 'postgres');
const identityFile = (dataDir: string) => join(dataDir, 'postgres.json');

/** The identity of the cluster in `dataDir`, or null when there is none. */
export function readIdentity(dataDir: string): Identity | null {
  const file = identityFile(dataDir);
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Identity) : null;
}

/** Stores the identity, without which the cluster is worthless. */
export function writeIdentity(dataDir: string, identity: Identity): void {
  replaceDurably(identityFile(dataDir), `${JSON.stringify(identity)}\n`);
}

/** Whether a cluster exists: it has `PG_VERSION` from its first moment on. */
const holdsCluster = (dataDir: string) => fs.existsSync(join(clusterOf(dataDir), 'PG_VERSION'));

/** Whether `dataDir` never held a whole cluster: a finished one has its port. */
export function isEmpty(dataDir: string): boolean {
  const identity = readIdentity(dataDir);
  return identity ? identity.port === 0 : !holdsCluster(dataDir);
}

/** Chooses a free port: `preferred` if it is free, and 0 for any. */
export async function choosePort(preferred: number): Promise<number> {
  for (let port = preferred; ; port = randomInt(PORTS.first, PORTS.last)) {
    if (port > 0 && !(await whyPortIsUnusable(port, '127.0.0.1'))) return port;
  }
}

/** Makes the cluster. It has its password before it exists, and its port once it is whole. */
export async function createCluster(place: Place, durability: Durability): Promise<Identity> {
  const { dataDir, account } = place;
  const folder = clusterOf(dataDir);
  const passwordFile = join(dataDir, 'postgres.password');
  if (readIdentity(dataDir)) {
    // A kill interrupted the previous attempt.
    fs.rmSync(folder, { recursive: true, force: true });
  } else if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) {
    throw new Error(
      `The embedded PostgreSQL makes ${folder} itself, but there is something in its place. Move ` +
        `that away. Where a disk is mounted there, mount it at ${dataDir} instead.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  writeIdentity(dataDir, { port: 0, password });
  try {
    fs.mkdirSync(folder, { mode: 0o700, recursive: true });
    fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) {
      for (const path of [folder, passwordFile]) fs.chownSync(path, account.uid, account.gid);
    }
    await runProgram(place, 'initdb', [
      `--pgdata=${folder}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      // The same order as the C library's, found by comparing bytes: nearly all keys are text.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(durability === 'throw-away' ? ['--no-sync'] : []),
    ]);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
  const identity = { port: await choosePort(0), password };
  writeIdentity(dataDir, identity);
  return identity;
}

/**
 * The identity of the cluster in `dataDir`.
 *
 * @throws Error when either of the two is lost: a new one would replace the other unnoticed
 */
export function identityOfCluster(dataDir: string): Identity {
  const identity = readIdentity(dataDir);
  if (!identity) {
    throw new Error(
      `${identityFile(dataDir)}, which holds the password of the embedded PostgreSQL, is missing. ` +
        'Put it back, or move the folder `postgres` beside it away to begin anew.',
    );
  }
  if (!holdsCluster(dataDir)) {
    throw new Error(
      `${clusterOf(dataDir)}, which holds the data of the embedded PostgreSQL, is missing or not ` +
        'whole. If its data has moved to a PostgreSQL of your own, set DATABASE_URL. Otherwise ' +
        'bring it back, as it was. To begin anew without that data, move away what is left of it, ' +
        `and ${identityFile(dataDir)} too.`,
    );
  }
  return identity;
}
