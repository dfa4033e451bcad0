import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { startSilentProxy } from '../testing/silent-proxy.ts';
import { queryByIndexes } from './index-plans.ts';
import { openPool } from './pool.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

const add = (id: string, name: string) => ({
  text: 'INSERT INTO merchants (id, name) VALUES ($1, $2) RETURNING id',
  values: [id, name],
});

async function merchantIds(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT id FROM merchants ORDER BY id');
  return rows.map(({ id }) => id);
}

describe('queryByIndexes', () => {
  test('commits, and its settings end with it', async () => {
    const rows = await queryByIndexes(database.pool, add('mer_a', 'A'));
    expect(rows).toEqual([{ id: 'mer_a' }]);
    expect(await merchantIds()).toEqual(['mer_a']);
    const { rows: settings } = await database.pool.query('SHOW enable_seqscan');
    expect(settings).toEqual([{ enable_seqscan: 'on' }]);
  });

  test('what fails leaves nothing behind, and the next one is well', async () => {
    const first = ["INSERT INTO merchants (id, name) VALUES ('mer_a', 'A')"];
    const failing = queryByIndexes(database.pool, add('mer_a', 'again'), { first });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await merchantIds()).toEqual([]);
    await queryByIndexes(database.pool, add('mer_b', 'B'), { first });
    expect(await merchantIds()).toEqual(['mer_a', 'mer_b']);
  });

  test('a connection that breaks fails its statement alone', async () => {
    const network = await startSilentProxy(database.url);
    const pool = openPool(network.url, 1);
    const asleep = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    const broken = expect(queryByIndexes(pool, { text: 'SELECT pg_sleep(60)' })).rejects.toThrow();
    await until(async () => (await database.pool.query(asleep)).rowCount === 1);
    network.cut(true);
    await broken;
    network.cut(false);
    expect(await queryByIndexes(pool, add('mer_a', 'A'))).toEqual([{ id: 'mer_a' }]);
    await pool.end();
    await network.close();
  });
});
