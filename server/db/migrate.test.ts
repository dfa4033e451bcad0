import { type ChildProcess, spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';
import { applyMigrations, pendingMigrations } from './migrate.ts';

// These migrations are this file's own: a process migrates the tree that it stands in.
const root = projectRoot();
let folder: string;
let database: TestDatabase;
let holder: pg.Client;

const HELD = 42;
const PATIENT = { lockMs: 0, pauseMs: 0, tries: 1 };
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%${HELD}%'
    AND pid <> pg_backend_pid()`;
const UNGRANTED = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

function write(name: string, sql: string): void {
  const migration = path.join(folder, 'prisma/migrations', name);
  fs.mkdirSync(migration, { recursive: true });
  fs.writeFileSync(path.join(migration, 'migration.sql'), sql);
}

const tables = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname LIKE 'made_%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};
const waiting = async () => (await database.pool.query<{ pid: number }>(WAITING)).rows;

/** Applies the migrations in a program with nothing else to do, and then runs `then`. */
function migrateInProcess(stdout: 'inherit' | 'pipe', then = ''): ChildProcess {
  const file = path.join(folder, 'migrate.mts');
  const migrate = pathToFileURL(path.join(root, 'server/db/migrate.ts')).href;
  fs.writeFileSync(
    file,
    `import { applyMigrations } from ${JSON.stringify(migrate)};
     process.chdir(${JSON.stringify(folder)});
     await applyMigrations(${JSON.stringify(database.url)}, ${JSON.stringify(PATIENT)});
     ${then}`,
  );
  return spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: root,
    env: childEnvironment({}),
    stdio: ['inherit', stdout, 'inherit'],
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  folder = makeThrowAwayFolder();
  fs.mkdirSync(path.join(folder, 'prisma/migrations'), { recursive: true });
  for (const file of ['schema.prisma', 'migrations/migration_lock.toml']) {
    fs.copyFileSync(path.join(root, 'prisma', file), path.join(folder, 'prisma', file));
  }
  write('1_first', 'CREATE TABLE made_first (n int)');
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
});
afterEach(async () => {
  await holder.end();
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});
afterAll(() => database.drop());

it('one that fails half-way leaves nothing behind, and is applied once it is put right', async () => {
  write('2_second', 'CREATE TABLE made_second (n int); SELECT 1/0 -- no line follows');
  await expect(applyMigrations(database.url)).rejects.toThrow('2_second: division by zero');
  expect(await tables()).toEqual(['made_first']);
  await expect(applyMigrations(database.url)).rejects.toThrow('2_second: division by zero');
  write('2_second', 'CREATE TABLE made_second (n int) -- no line follows');
  expect(await applyMigrations(database.url)).toEqual(['2_second']);
  expect(await tables()).toEqual(['made_first', 'made_second']);
  expect(await pendingMigrations(database.pool)).toEqual([]);
});

it('says why the database cannot be reached where its host has two addresses', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  vi.spyOn(dns, 'lookup').mockImplementation(((...[, , done]: Parameters<LookupFunction>) =>
    done(null, addresses)) as unknown as typeof dns.lookup);
  await expect(applyMigrations('postgresql://user:hidden@two:1/x')).rejects.toThrow(
    /^The migrations could not be applied: The database cannot be reached: connect .*127\.0\.0\.2:1$/,
  );
});

it('a server that takes connections and says nothing is not waited for', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const applied = applyMigrations(`postgresql://user:hidden@127.0.0.1:${port}/x`);
    const refused = expect(applied).rejects.toThrow(
      /^The migrations could not be applied: The database cannot be reached: nothing came from it/,
    );
    const [socket] = await once(silent, 'connection');
    vi.advanceTimersByTime(10_000);
    await refused;
    socket.destroy();
  } finally {
    vi.useRealTimers();
    silent.close();
  }
});

it('one whose connection is cut is applied again', async () => {
  write('2_second', `CREATE TABLE made_second (n int); SELECT pg_advisory_xact_lock(${HELD})`);
  const cut = expect(applyMigrations(database.url, PATIENT)).rejects.toThrow(
    'could not be applied',
  );
  await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
  const [{ pid } = { pid: 0 }] = await waiting();
  await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await cut;
  await holder.query('SELECT pg_advisory_unlock($1)', [HELD]);
  expect(await applyMigrations(database.url)).toEqual(['2_second']);
  expect(await tables()).toEqual(['made_first', 'made_second']);
});

it('one whose process is killed goes on to its end, and the next start waits for that', async () => {
  write('2_second', `CREATE TABLE made_second (n int); SELECT pg_advisory_xact_lock(${HELD})`);
  const child = migrateInProcess('inherit');
  const killed = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1);
  child.kill('SIGKILL');
  await killed;
  const next = applyMigrations(database.url);
  await expect
    .poll(() => database.pool.query(UNGRANTED), { timeout: 20_000 })
    .toMatchObject({ rowCount: 2 });
  await holder.query('SELECT pg_advisory_unlock($1)', [HELD]);
  expect(await next).toEqual([]);
  expect(await tables()).toEqual(['made_first', 'made_second']);
  expect(await pendingMigrations(database.pool)).toEqual([]);
});

it('nothing is waited for once they are applied', async () => {
  const child = migrateInProcess(
    'pipe',
    `const appliedMs = Date.now();
     process.on('exit', () => console.log(Date.now() - appliedMs));`,
  );
  let said = '';
  child.stdout?.on('data', (told) => {
    said += told;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(said).not.toBe('');
  expect(Number(said)).toBeLessThan(5_000);
  expect(await tables()).toEqual(['made_first']);
});

it('one that waits long for a table lets others pass, and tries again', async () => {
  await applyMigrations(database.url);
  write('2_second', 'CREATE TABLE made_second (n int)');
  write('3_third', 'CREATE TABLE made_third (n int); ALTER TABLE made_first ADD m int');
  await holder.query('BEGIN; SELECT FROM made_first');
  const waits = { lockMs: 50, pauseMs: 10, tries: 2 };
  await expect(applyMigrations(database.url, waits)).rejects.toThrow(
    '3_third: a dump or a long transaction',
  );
  expect(await tables()).toEqual(['made_first', 'made_second']);
  const applying = applyMigrations(database.url, { ...waits, tries: 1_000 });
  const failures = async () =>
    (await database.pool.query('SELECT FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL'))
      .rowCount;
  await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(2);
  await holder.query('COMMIT');
  expect(await applying).toEqual(['3_third']);
  expect(await tables()).toEqual(['made_first', 'made_second', 'made_third']);
});

it('one that a payment deadlocked with is tried again', async () => {
  await applyMigrations(database.url);
  // A sequence keeps its count across a rollback.
  await database.pool.query('CREATE SEQUENCE tries');
  write(
    '2_second',
    `DO $$ BEGIN
       IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = 'deadlock_detected'; END IF;
     END $$; CREATE TABLE made_second (n int)`,
  );
  expect(await applyMigrations(database.url, { lockMs: 0, pauseMs: 0, tries: 2 })).toEqual([
    '2_second',
  ]);
});

it('one that finds rows which contradict it names them', async () => {
  await applyMigrations(database.url);
  await database.pool.query('INSERT INTO made_first VALUES (7), (7)');
  write('2_second', 'CREATE UNIQUE INDEX made_once ON made_first (n)');
  await expect(applyMigrations(database.url)).rejects.toThrow('Key (n)=(7) is duplicated');
});

it('a database that cannot hold every text is refused before anything is changed', async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_latin`;
  const latin = new URL(database.url);
  latin.pathname = name;
  await database.pool.query(
    `CREATE DATABASE ${name} ENCODING LATIN1 LOCALE 'C' TEMPLATE template0`,
  );
  try {
    await expect(applyMigrations(latin.href, PATIENT)).rejects.toThrow(
      'The database must have the encoding UTF8; this one has LATIN1.',
    );
  } finally {
    await database.pool.query(`DROP DATABASE ${name}`);
  }
});

it('a server older than what is documented is refused before anything is changed', async () => {
  await database.pool.query(`
    CREATE FUNCTION current_setting(name text) RETURNS text LANGUAGE sql AS $$
      SELECT CASE name WHEN 'server_version' THEN '14.9 (Debian)'
        ELSE pg_catalog.current_setting(name) END $$`);
  const old = new URL(database.url);
  old.searchParams.set('options', '-c search_path=public,pg_catalog');
  await expect(applyMigrations(old.href, PATIENT)).rejects.toThrow(
    'The migrations could not be applied: PostgreSQL 15 or newer is needed; this is 14.9 (Debian).',
  );
  expect(await tables()).toEqual([]);
  const documented = ['README.md', 'public/operating/operating.md'].map(
    (file) => fs.readFileSync(path.join(root, file), 'utf8').match(/(\d+) or newer[)|]? *\|/)?.[1],
  );
  expect(documented).toEqual(['15', '15']);
});
