import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTry } from '../auth/throttle.ts';
import { createInvoice } from '../invoices/create.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { newInvoice } from '../testing/invoices.ts';
import { JOBS, type Job } from './registry.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const after = (ms: number) => new Date(NOW.getTime() + ms);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = async (jobId: Job['id'], now: Date, limit: number) =>
  await JOBS.find(({ id }) => id === jobId)?.run({
    ...{ db: database.pool, now, clock: () => now, limit },
  });

it('counts are deleted by a job once their windows are over, though nobody signs in', async () => {
  const db = database.pool;
  for (const key of ['a', 'b', 'c']) await countTry(db, key, { max: 5, windowMs: 1_000 }, NOW);
  await countTry(db, 'later', { max: 5, windowMs: 2_000 }, NOW);
  const clean = () => run('cleanUpThrottles', after(1_000), 2);
  expect([await clean(), await clean()]).toEqual([{ count: 2 }, { count: 1 }]);
  expect((await db.query('SELECT key FROM throttles')).rows).toEqual([{ key: 'later' }]);
});

it('idempotency keys are deleted by a job when their 24 hours are over, and not before', async () => {
  const db = database.pool;
  const { sandbox } = await createMerchantFixture(db);
  await createInvoice(db, sandbox.tenant, {
    id: newId('inv', NOW.getTime()),
    createdAt: NOW,
    requestId: null,
    invoice: newInvoice(),
    idempotency: { key: 'k', requestHash: Buffer.from('h'), responseBody: Buffer.from('{}') },
  });
  const clean = (now: Date) => run('cleanUpIdempotencyKeys', now, 10);
  expect(await clean(after(DAY_MS - 1))).toEqual({ count: 0 });
  expect(await clean(after(DAY_MS))).toEqual({ count: 1 });
});
