import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { recordTokenUse, type TokenUse } from '../merchants/token-use.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { TokenUses } from './token-use.ts';

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterEach(() => database.pool.query('DELETE FROM api_tokens'));
afterAll(() => database.drop());

async function addTokens(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await database.pool.query(
      `INSERT INTO api_tokens (id, merchant_id, environment, name, prefix, token_hash)
       VALUES ($1::text, $2, 'sandbox', '', '', convert_to($1::text, 'UTF8'))`,
      [id, merchantId],
    );
  }
}

async function lastUses() {
  const { rows } = await database.pool.query(
    `SELECT id, (extract(epoch FROM last_used_at) * 1000)::float8 AS ms, last_used_for AS endpoint,
       last_used_from AS address FROM api_tokens ORDER BY id`,
  );
  return rows.map(({ id, ms, endpoint, address }) => [id, ms, endpoint, address]);
}

test('uses that could not be written are written with the next, the latest of each token', async () => {
  await addTokens('a', 'b');
  let isAway = true;
  const query = (...asked: Parameters<typeof database.pool.query>) =>
    isAway ? Promise.reject(new Error('away')) : database.pool.query(...asked);
  const uses = new TokenUses({ query } as typeof database.pool, createLogger('silent'));
  uses.note('a', 500, '/invoice/create', '192.0.2.9');
  uses.note('a', 1_000, '/event/list', '2001:db8::1%eth0');
  uses.note('b', 2_000, '/invoice/create', '192.0.2.1');
  const flushing = uses.flush();
  uses.note('b', 3_000, '/invoice/cancel', 'unknown');
  await flushing;
  expect(await lastUses()).toEqual([
    ['a', null, null, null],
    ['b', null, null, null],
  ]);
  isAway = false;
  await uses.stop();
  expect(await lastUses()).toEqual([
    ['a', 1_000, '/event/list', '2001:db8::1'],
    ['b', 3_000, '/invoice/cancel', null],
  ]);
});

test('what another process wrote of a later use stays', async () => {
  await addTokens('a');
  const write = (atMs: number, endpoint: string, address: string) =>
    recordTokenUse(database.pool, new Map([['a', { atMs, endpoint, address }]]));
  await write(2_000, '/invoice/create', '::ffff:192.0.2.1');
  await write(1_000, '/invoice/cancel', '192.0.2.2');
  expect(await lastUses()).toEqual([['a', 2_000, '/invoice/create', '192.0.2.1']]);
});

test('rows are locked in the order of their ids, whatever their order in the table', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `t${String(index).padStart(2, '0')}`);
  await addTokens(...ids.toReversed());
  const [first = '', ...others] = ids;
  const { pool } = database;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM api_tokens WHERE id = $1 FOR UPDATE', [first]);
  const use: TokenUse = { atMs: 5_000, endpoint: '/invoice/create', address: '192.0.2.1' };
  const writing = recordTokenUse(pool, new Map(ids.map((id) => [id, use])));
  await expect
    .poll(async () => {
      const { rowCount } = await pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount;
    })
    .toBe(1);
  // The writer waits for the first row, and holds none of the others.
  const { rowCount } = await holder.query(
    'SELECT FROM api_tokens WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED',
    [others],
  );
  expect(rowCount).toBe(others.length);
  await holder.query('COMMIT');
  holder.release();
  await writing;
  expect((await lastUses()).every(([, ms]) => ms === 5_000)).toBe(true);
});
