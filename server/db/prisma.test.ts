import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processWide } from '../lib/process-wide.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { closePool, getPool, openPool } from './pool.ts';
import { getPrisma } from './prisma.ts';

// Next's bundle finds the process's pool in the same way.
const held = processWide<{ pool?: Pool }>('pool', () => ({}));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
  // Every process has a pool after its first statement.
  held.pool = database.pool;
});
afterAll(async () => {
  delete held.pool;
  await database.drop();
});

describe('getPrisma', () => {
  it('works on the connections of the one pool, in and outside a transaction', async () => {
    expect(getPool()).toBe(database.pool);
    const prisma = getPrisma();
    expect(getPrisma()).toBe(prisma);
    await prisma.$transaction(async (db) => {
      await db.merchant.create({ data: { id: 'mer_1', name: 'One' } });
    });
    await prisma.invoice.create({
      data: {
        id: 'inv_1',
        merchantId: 'mer_1',
        environment: 'sandbox',
        merchantTransactionId: 'order-1',
        amountMinor: 9007199254740993n,
        currency: 'USD',
        description: 'd',
        positions: '[]',
        successUrl: 'http://a',
        errorUrl: 'http://a',
        callbackUrl: 'http://a',
        endDate: new Date(2),
        createdAt: new Date(1),
        statusChangedAt: new Date(1),
      },
    });
    const found = await prisma.invoice.findUnique({ where: { id: 'inv_1' } });
    expect(found).toMatchObject({ amountMinor: 9007199254740993n, endDate: new Date(2) });
  });

  it('waits for a connection of the pool when all are taken: it has none of its own', async () => {
    const taken = await Promise.all([database.pool.connect(), database.pool.connect()]);
    let isDone = false;
    const counting = getPrisma()
      .merchant.count()
      .then(() => {
        isDone = true;
      });
    await expect.poll(() => database.pool.waitingCount).toBe(1);
    expect(isDone).toBe(false);
    for (const client of taken) client.release();
    await counting;
  });
});

describe('closePool', () => {
  it('leaves no pool to the process, so that the next use opens one', async () => {
    const other = openPool(database.url, 1);
    held.pool = other;
    await closePool();
    await closePool();
    expect(held.pool).toBeUndefined();
    expect(other.ended).toBe(true);
    held.pool = database.pool;
  });
});
