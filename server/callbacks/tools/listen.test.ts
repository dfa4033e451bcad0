import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transition } from '../../invoices/transition.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { notificationId } from '../enqueue.ts';
import {
  answerForward,
  keepListening,
  LISTENER_LEASE_MS,
  type ListenerStep,
  takeForwards,
} from './listen.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LIFETIME_MS = 10_000;
const at = (afterMs: number) => new Date(NOW.getTime() + afterMs);
let database: TestDatabase;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  tenant = (await createMerchantFixture(database.pool)).sandbox.tenant;
  other = (await createMerchantFixture(database.pool)).sandbox.tenant;
});

/** A callback that a worker offers to a listener, whose answer it awaits. */
async function offer(of: Tenant): Promise<string> {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, of, { now: NOW });
  const context = { actor: { type: 'api' } as const, now: NOW };
  await transition(pool, { invoiceId, tenant: of }, { trigger: 'cancel' }, context);
  await pool.query(
    `INSERT INTO callback_forwards
       (id, merchant_id, callback_id, invoice_id, attempt, url, headers, body, created_at, expires_at)
     VALUES ($1, $2, ${notificationId('$1::text')}, $1, 1, 'https://shop.example/', '{}', '', $3, $4)`,
    [invoiceId, of.merchantId, NOW.toISOString(), at(LIFETIME_MS).toISOString()],
  );
  return invoiceId;
}

const keep = (listenerId: string, step: ListenerStep, afterMs = 0, of = tenant) =>
  keepListening(database.pool, of, { listenerId, step, now: at(afterMs) });

/** The callbacks that a poll of the tenant's listener takes. */
async function poll(afterMs = 0): Promise<string[]> {
  const until = await keep('laptop', 'go_on', afterMs);
  if (until === null) throw new Error('replaced');
  const listener = { listenerId: 'laptop', until, now: at(afterMs) };
  const taken = await takeForwards(database.pool, tenant, listener);
  return taken.map(({ forwardId }) => forwardId);
}

function answer(forwardId: string, afterMs: number) {
  const accepted = { durationMs: 5, httpStatus: 200, body: Buffer.from('{"success":true}') };
  const rest = { failure: null, retryAfter: null, location: null };
  return answerForward(database.pool, tenant, {
    forwardId,
    answer: { ...accepted, ...rest },
    now: at(afterMs),
  });
}

test('a listener takes nothing of another merchant’s, though that one listens as well', async () => {
  await keep('laptop', 'start', 0, other);
  await offer(other);
  expect(await poll()).toEqual([]);
  const own = await offer(tenant);
  expect(await poll()).toEqual([own]);
});

test('what was taken takes no room from what comes after', async () => {
  const offered: string[] = [];
  for (let count = 0; count < 10; count++) offered.push(await offer(tenant));
  expect((await poll()).sort()).toEqual(offered.sort());
  const next = await offer(tenant);
  expect(await poll()).toEqual([next]);
});

test('what nobody waits for any more is neither handed out nor answered', async () => {
  const late = await offer(tenant);
  expect(await poll(LIFETIME_MS)).toEqual([]);
  expect(await poll(LIFETIME_MS - 1)).toEqual([late]);
  expect(await answer(late, LIFETIME_MS)).toBeNull();
  expect(await answer(late, LIFETIME_MS - 1)).toMatchObject({ attempt: 1 });
});

test('what nobody has taken is answered by nobody', async () => {
  expect(await answer(await offer(tenant), 1)).toBeNull();
});

test('a listener that was replaced listens again once the other’s time is over', async () => {
  await keep('laptop', 'start');
  await keep('desktop', 'start');
  expect(await keep('laptop', 'go_on', LISTENER_LEASE_MS - 1)).toBeNull();
  expect(await keep('laptop', 'go_on', LISTENER_LEASE_MS)).toEqual(at(2 * LISTENER_LEASE_MS));
});
