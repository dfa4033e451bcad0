import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { inTransaction } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

const insert = 'INSERT INTO merchants (id, name) VALUES ($1, $1)';
const isThere = async (id: string) =>
  (await database.pool.query('SELECT FROM merchants WHERE id = $1', [id])).rowCount === 1;

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
