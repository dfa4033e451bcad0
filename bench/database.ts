import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '../server/db/migrate.ts';
import { openPool } from '../server/db/pool.ts';
import { startEmbedded } from '../server/process/embedded-postgres/embedded.ts';

/** A benchmark's own migrated database, in a PostgreSQL with fsync on. */
export type BenchDatabase = {
  url: string;
  /** PostgreSQL's first process. */
  pid: number;
  stop(): Promise<void>;
};

const TEMPLATE = 'bench_template';
/** The server that `npm run bench` has started for all its benchmarks, as `url pid`. */
const SHARED = 'BENCH_POSTGRES';

async function administer(serverUrl: string, statement: string): Promise<void> {
  const pool = openPool(serverUrl, 1);
  await pool.query(statement);
  await pool.end();
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Starts PostgreSQL in its own folder, with a migrated database to copy. */
async function startServer(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-postgres-'));
  const { url, pid, stop } = await startEmbedded({ dataDir: folder, durability: 'safe' });
  await administer(url, `CREATE DATABASE ${TEMPLATE}`);
  await applyMigrations(urlOf(url, TEMPLATE));
  return {
    url,
    pid,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts PostgreSQL for every database that this process and its children will open, unless one is
 * shared already: setting it up is most of a quick benchmark's time.
 *
 * @returns a function that ends it
 */
export async function shareServer(): Promise<() => Promise<void>> {
  if (process.env[SHARED] !== undefined) return () => Promise.resolve();
  const { url, pid, stop } = await startServer();
  process.env[SHARED] = `${url} ${pid}`;
  return stop;
}

/** Opens an empty, migrated database on the shared server, or on a new one. */
export async function openDatabase(): Promise<BenchDatabase> {
  const [sharedUrl, sharedPid] = (process.env[SHARED] ?? '').split(' ');
  const server: BenchDatabase =
    sharedUrl && sharedPid
      ? { url: sharedUrl, pid: Number(sharedPid), stop: () => Promise.resolve() }
      : await startServer();
  const name = `bench_${randomBytes(4).toString('hex')}`;
  await administer(server.url, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  return {
    url: urlOf(server.url, name),
    pid: server.pid,
    async stop() {
      await administer(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await server.stop();
    },
  };
}
