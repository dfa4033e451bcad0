import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { applyMigrations } from '../db/migrate.ts';
import { openPool } from '../db/pool.ts';
import { processWide } from '../lib/process-wide.ts';
import { startEmbedded } from '../process/embedded-postgres/embedded.ts';
import {
  makeThrowAwayFolder,
  parentOfDatabases,
  sweepThrowAwayFolders,
} from './throw-away-folder.ts';

export const TEMPLATE = 'gateway_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's URL of the throw-away PostgreSQL. */
    postgresUrl: string;
    /** The size of the model-based test, from variables; see vitest.config.ts. */
    model: { runs: number; seed: number; path: string; replayPath: string };
  }
}

type Shared = { url: string; stop: () => Promise<void> };
/** The projects of a run load this file separately, and share one PostgreSQL. */
const run = processWide('test database', () => ({
  projects: 0,
  started: undefined as Promise<Shared> | undefined,
}));

async function start(): Promise<Shared> {
  await sweepThrowAwayFolders();
  const dataDir = makeThrowAwayFolder(parentOfDatabases());
  const server = await startEmbedded({ dataDir, durability: 'throw-away' });
  const pool = openPool(server.url, 1);
  await pool.query(`CREATE DATABASE ${TEMPLATE}`);
  await applyMigrations(databaseUrl(server.url, TEMPLATE));
  // A database with an open session cannot be copied.
  await pool.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    TEMPLATE,
  ]);
  await pool.end();
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, stop };
}

/** Starts one throw-away PostgreSQL for the whole run and migrates its template once. */
export async function setup(project: TestProject): Promise<void> {
  run.projects += 1;
  run.started ??= start();
  project.provide('postgresUrl', (await run.started).url);
}

/** Ends it and removes its data, after the last project. */
export async function teardown(): Promise<void> {
  run.projects -= 1;
  if (run.projects === 0) await (await run.started)?.stop();
}

/** The URL of another database of the same server. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
