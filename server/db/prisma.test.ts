import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { closePool, getPool, openPool } from './pool.ts';
import { getPrisma } from './prisma.ts';

const POOL = Symbol.for('payment-gateway.pool');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
  // What a process has after its first statement; Next's bundle finds it the same way.
  Object.assign(globalThis, { [POOL]: database.pool });
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, POOL);
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
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isDone).toBe(false);
    for (const client of taken) client.release();
    await counting;
  });
});

describe('closePool', () => {
  it('leaves no pool to the process, so that the next use opens one', async () => {
    const other = openPool(database.url, 1);
    Object.assign(globalThis, { [POOL]: other });
    await closePool();
    await closePool();
    expect(Reflect.get(globalThis, POOL)).toBeUndefined();
    expect(other.ended).toBe(true);
    Object.assign(globalThis, { [POOL]: database.pool });
  });
});
