import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestReset } from '../auth/password-reset.ts';
import { createSession } from '../auth/sessions.ts';
import { countTry } from '../auth/throttle.ts';
import { createInvoice } from '../invoices/create.ts';
import { newId } from '../lib/ids.ts';
import { payInvoice } from '../payments/pay.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice, hashesOf, newInvoice } from '../testing/invoices.ts';
import { cardWith } from '../testing/payments.ts';
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

it('and so are the addresses of buyers, as soon as their tries to pay count no more', async () => {
  const db = database.pool;
  const { sandbox } = await createMerchantFixture(db);
  const invoiceId = await createTestInvoice(db, sandbox.tenant, { now: NOW });
  await payInvoice(db, invoiceId, cardWith('4000000000000002'), {
    clock: () => NOW,
    actor: { type: 'buyer' },
    address: '192.0.2.7',
    waitMs: 1_000,
    onLateError: () => undefined,
  });
  const left = async () => (await db.query('SELECT address_key FROM buyer_tries')).rows;
  await run('cleanUpThrottles', after(10 * 60_000 - 1), 2);
  expect(await left()).toEqual([{ address_key: '192.0.2.7' }]);
  expect(await run('cleanUpThrottles', after(10 * 60_000), 2)).toEqual({ count: 1 });
  expect(await left()).toEqual([]);
});

it('sessions and links for passwords are deleted by a job once they are over, and not before', async () => {
  const db = database.pool;
  const { id: userId } = await findOrCreateUser(db, {
    email: 'a@example.com',
    password: 'correct horse battery',
    now: NOW,
  });
  const session = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
  await requestReset(db, { email: 'a@example.com', addressKey: 'a', now: NOW });
  const left = async () => {
    const { rows } = await db.query<{ table: string; over: Date }>(
      `SELECT 'sessions' AS table, expires_at AS over FROM sessions
       UNION ALL SELECT 'links', expires_at FROM password_resets ORDER BY 2`,
    );
    return rows;
  };
  const [link, kept] = await left();
  expect([link?.table, kept?.table, session.id]).toEqual(['links', 'sessions', expect.any(String)]);
  const clean = (at: Date | undefined, earlierMs = 0) =>
    run('cleanUpSignIns', new Date((at?.getTime() ?? 0) - earlierMs), 10);
  expect(await clean(link?.over, 1)).toEqual({ count: 0 });
  expect(await clean(link?.over)).toEqual({ count: 1 });
  expect((await left()).map(({ table }) => table)).toEqual(['sessions']);
  expect(await clean(kept?.over)).toEqual({ count: 1 });
  expect(await left()).toEqual([]);
});

it('what a worker that died was forwarding is deleted by a job, not what somebody still waits for', async () => {
  const db = database.pool;
  const { id: merchantId } = await createMerchantFixture(db);
  for (const [id, overMs] of [
    ['dead', 0],
    ['waited for', 1],
  ] as const) {
    await db.query(
      `INSERT INTO callback_forwards (id, merchant_id, callback_id, invoice_id, attempt, url, headers, body, created_at, expires_at)
       VALUES ($1, $2, 'ntf', 'inv', 1, 'http://localhost', '{}', 'body', $3, $4)`,
      [id, merchantId, NOW, after(overMs)],
    );
  }
  expect(await run('cleanUpLeases', after(60_000), 10)).toEqual({ count: 1 });
  expect((await db.query('SELECT id FROM callback_forwards')).rows).toEqual([{ id: 'waited for' }]);
});

it('idempotency keys are deleted by a job when their 24 hours are over, and not before', async () => {
  const db = database.pool;
  const { sandbox } = await createMerchantFixture(db);
  await createInvoice(db, sandbox.tenant, {
    id: newId('inv', NOW.getTime()),
    createdAt: NOW,
    requestId: null,
    invoice: newInvoice(),
    idempotency: { key: 'k', ...hashesOf('h'), responseBody: Buffer.from('{}') },
  });
  const clean = (now: Date) => run('cleanUpIdempotencyKeys', now, 10);
  expect(await clean(after(DAY_MS - 1))).toEqual({ count: 0 });
  expect(await clean(after(DAY_MS))).toEqual({ count: 1 });
});

it('events are deleted by a job after 90 days, and not before', async () => {
  const db = database.pool;
  const { id } = await createMerchantFixture(db);
  await db.query(
    `INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
     SELECT n, $1, 'sandbox', 'invoice.paid', $2::timestamptz + n * interval '1 ms', 'inv_' || n
     FROM generate_series(1, 3) n`,
    [id, NOW],
  );
  const clean = (ms: number, limit: number) => run('cleanUpEvents', after(90 * DAY_MS + ms), limit);
  expect(await clean(0, 10)).toEqual({ count: 0 });
  expect(await clean(2, 1)).toEqual({ count: 1 });
  expect(await clean(2, 10)).toEqual({ count: 1 });
  const { rows } = await db.query('SELECT invoice_id FROM events WHERE merchant_id = $1', [id]);
  expect(rows).toEqual([{ invoice_id: 'inv_3' }]);
});
