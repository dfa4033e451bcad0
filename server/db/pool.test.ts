import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { duringTransaction } from '../testing/database/during-transaction.ts';
import { type SilentProxy, startSilentProxy } from '../testing/silent-proxy.ts';
import {
  databaseFault,
  inTransaction,
  isDatabaseBusy,
  openPool,
  queryAtLength,
  SERVING,
} from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

const insert = 'INSERT INTO merchants (id, name) VALUES ($1, $1)';
const isThere = async (id: string) =>
  (await database.pool.query('SELECT FROM merchants WHERE id = $1', [id])).rowCount === 1;

it('a server that takes connections and says nothing cannot be reached, in words', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pool = openPool(`postgresql://user:hidden@127.0.0.1:${port}/x`, 1);
  const told = pool.query('SELECT 1').catch(databaseFault);
  const [socket] = await once(silent, 'connection');
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(await told).toBe('The database cannot be reached: nothing came from it within 10 s');
  socket.destroy();
  silent.close();
  await pool.end();
});

it('a server that closes each connection at once is told of, in words', async () => {
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  const pool = openPool(`postgresql://user:hidden@127.0.0.1:${port}/x`, 1);
  const told = await pool.query('SELECT 1').catch(databaseFault);
  expect(told).toMatch(/^The connection to the database was closed without a reason/);
  closing.close();
  await pool.end();
});

it('that a database is read only is told in words', async () => {
  const refused = inTransaction(database.pool, async (db) => {
    await db.query('SET TRANSACTION READ ONLY');
    await db.query(insert, ['mer_refused']);
  });
  expect(await refused.catch(databaseFault)).toBe(
    'The database is read only, as a standby is, and a restored one until it is promoted: ' +
      'cannot execute INSERT in a read-only transaction',
  );
});

it.each([
  [
    '0A000',
    'cannot access temporary or unlogged relations during recovery',
    /^The database is read only/,
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', /sslrootcert=FILE\): self-signed/],
])('what PostgreSQL or TLS says by %s is told in words', (code, message, told) => {
  expect(databaseFault(Object.assign(new Error(message), { code }))).toMatch(told);
});

describe('inTransaction', () => {
  it('commits what ran when the work resolves, and gives its result back', async () => {
    const result = await inTransaction(database.pool, async (db) => {
      await db.query(insert, ['mer_kept']);
      return 7;
    });
    expect(result).toBe(7);
    expect(await isThere('mer_kept')).toBe(true);
  });

  it('leaves nothing when the work rejects, and rejects with its error', async () => {
    const work = inTransaction(database.pool, async (db) => {
      await db.query(insert, ['mer_gone']);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await isThere('mer_gone')).toBe(false);
  });

  it('throws away a connection that died in the middle', async () => {
    for (let round = 0; round < 3; round++) {
      const work = inTransaction(database.pool, async (db) => {
        await db.query('SELECT pg_terminate_backend(pg_backend_pid())');
      });
      await expect(work).rejects.toThrow();
    }
    expect(await isThere('mer_kept')).toBe(true);
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
  });
});

it('a transaction writes again when the database is read only no more', async () => {
  const other = await createTestDatabase(1);
  const name = new URL(other.url).pathname.slice(1);
  await other.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const pool = openPool(other.url, 1, SERVING);
  const write = () => inTransaction(pool, (db) => db.query(insert, ['mer_1']));
  await expect(write()).rejects.toThrow('read-only transaction');
  await other.pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  expect((await write()).rowCount).toBe(1);
  await pool.end();
  await other.drop();
});

it('relies on no setting that a database may have otherwise', async () => {
  const other = await createTestDatabase(1);
  const name = new URL(other.url).pathname.slice(1);
  await other.pool.query(`ALTER DATABASE ${name} SET default_transaction_isolation = serializable`);
  await other.pool.query(`ALTER DATABASE ${name} SET DateStyle = 'German'`);
  for (const limits of [undefined, SERVING]) {
    const pool = openPool(other.url, 1, limits);
    const { rows } = await inTransaction(pool, (db) =>
      db.query(
        `SELECT current_setting('transaction_isolation') AS isolation, $1::timestamptz AS at`,
        ['2026-12-01T00:00:00Z'],
      ),
    );
    expect(rows).toEqual([{ isolation: 'read committed', at: new Date('2026-12-01T00:00:00Z') }]);
    await pool.end();
  }
  await other.drop();
});

it('knows that others have all connections that there may be', async () => {
  await database.pool.query("CREATE ROLE crowded LOGIN PASSWORD 'x' CONNECTION LIMIT 0");
  const url = new URL(database.url);
  url.username = 'crowded';
  url.password = 'x';
  const crowded = openPool(url.href, 1);
  const error = await crowded.query('SELECT').catch((failure: unknown) => failure);
  expect([isDatabaseBusy(error), isDatabaseBusy(new Error('else'))]).toEqual([true, false]);
  await crowded.end();
  await database.pool.query('DROP ROLE crowded');
});

it('waits for a lock no longer than its limit, and knows that somebody else has it', async () => {
  await database.pool.query(insert, ['mer_locked']);
  const serving = openPool(database.url, 1, { ...SERVING, lock: 50 });
  const statement = "SELECT FROM merchants WHERE id = 'mer_locked' FOR UPDATE";
  await duringTransaction(database.pool, { statement }, async () => {
    const waiting = serving.query("UPDATE merchants SET name = 'x' WHERE id = 'mer_locked'");
    expect(isDatabaseBusy(await waiting.catch((failure: unknown) => failure))).toBe(true);
  });
  await serving.end();
});

describe('a process that serves', () => {
  // The order of the limits matters: PostgreSQL's own word comes before silence is assumed.
  const limits = { ...SERVING, answer: 1_500, statement: 300 };
  let network: SilentProxy;
  beforeEach(async () => {
    network = await startSilentProxy(database.url);
  });
  afterEach(() => network.close());

  it('gives up a connection that went silent, and goes on with another', async () => {
    const pool = openPool(network.url, 1, limits);
    await pool.query('SELECT 1');
    network.silence();
    await expect(pool.query('SELECT 2')).rejects.toThrow('Query read timeout');
    expect((await pool.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
    await pool.end();
  });

  it('asks a silent connection for no rollback', async () => {
    const pool = openPool(network.url, 1, limits);
    const asked: unknown[] = [];
    const work = inTransaction(pool, async (db) => {
      vi.spyOn(db, 'query').mockImplementation(function (this: typeof db, text: string) {
        asked.push(text);
        return Object.getPrototypeOf(db).query.call(db, text);
      });
      network.silence();
      await db.query('SELECT 2');
    });
    await expect(work).rejects.toThrow('Query read timeout');
    expect(asked).toEqual(['SELECT 2']);
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  it('runs no statement for longer than its limit', async () => {
    const pool = openPool(database.url, 1, limits);
    await expect(pool.query('SELECT pg_sleep(10)')).rejects.toThrow('statement timeout');
    expect((await pool.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }]);
    await pool.end();
  });

  it('lets a statement take its time that has to, and no other after it', async () => {
    const pool = openPool(database.url, 1, limits);
    const slow = { text: 'SELECT pg_sleep(0.6), 3 AS n' };
    const { rows } = await inTransaction(pool, (db) => queryAtLength(db, slow));
    expect(rows).toMatchObject([{ n: 3 }]);
    await expect(pool.query(slow)).rejects.toThrow('statement timeout');
    await pool.end();
  });

  it('holds no rows for longer than its limit when it vanishes within a transaction', async () => {
    const idle = { ...limits, idleTransaction: 200 };
    const frozen = openPool(network.url, 1, idle);
    await database.pool.query(insert, ['mer_held']);
    const client = await frozen.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM merchants WHERE id = 'mer_held' FOR UPDATE`);
    network.silence();
    const update = `UPDATE merchants SET name = 'free' WHERE id = 'mer_held'`;
    expect((await database.pool.query(update)).rowCount).toBe(1);
    client.release(true);
    await frozen.end();
  });
});
