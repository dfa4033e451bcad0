import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { listCallbacks, readCallback } from '../callbacks/data.ts';
import { CALLBACK_DUE } from '../callbacks/enqueue.ts';
import { signature, signingKey } from '../callbacks/http/sign.ts';
import { claimDue } from '../callbacks/queue/claim.ts';
import { recordResults } from '../callbacks/queue/record.ts';
import { resendCallback } from '../callbacks/resend.ts';
import { RETRY_DELAYS_MS } from '../callbacks/schedule.ts';
import { cancelInvoice } from '../invoices/cancel.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import type { Tenant } from '../merchants/types.ts';
import { endRefund, openRefund } from '../refunds/transition.ts';
import {
  type Answer,
  deliverOnce,
  insertDue,
  openShop,
  resultOf,
  TEST_SECRET,
  testContext,
  until,
} from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { createPaidInvoice } from '../testing/refunds.ts';
import { eventListText } from '../wire/event-list.ts';
import { readEventAddress, removeEventAddress, setEventAddress } from './address.ts';
import { listEvents } from './list.ts';
import {
  LOG_BEGINNING,
  PRESET_EVENT_TYPES,
  SENT_EVENT_TYPES,
  type WrittenEventType,
} from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;
const later = (ms: number) => new Date(NOW.getTime() + ms);

let database: TestDatabase;
let merchant: MerchantFixture;
let tenant: Tenant;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
  tenant = merchant.sandbox.tenant;
});
afterEach(async () => {
  // What one test leaves due is not sent by the next.
  await database.pool.query(`UPDATE callbacks SET state = 'delivered' WHERE state = 'pending'`);
  for (const close of closers.splice(0)) await close();
});

async function receiver(answer: Answer = (response) => response.writeHead(204).end()) {
  const shop = await openShop(answer);
  closers.push(() => shop.close());
  return shop;
}

const set = (url: string, types: readonly WrittenEventType[] = PRESET_EVENT_TYPES) =>
  setEventAddress(database.pool, tenant, { url, types, network: 'local', actor: ACTOR, now: NOW });

async function deliverAt(now: Date) {
  const context = testContext(database.pool, { clock: () => now });
  const outcome = await deliverOnce(context, { now, limit: 100 });
  await context.sender.close();
  expect(context.errors).toEqual([]);
  return outcome;
}

/** Refunds a part of a new paid invoice, and ends the refund; its callback is not sent. */
async function refund(step: 'succeed' | 'fail' = 'succeed', db: pg.Pool = database.pool) {
  const invoiceId = await createPaidInvoice(database.pool, tenant, { now: NOW });
  await database.pool.query(
    `UPDATE callbacks SET state = 'delivered' WHERE invoice_id = $1 AND kind = 'notification'`,
    [invoiceId],
  );
  const opened = await openRefund(
    database.pool,
    {
      invoiceId,
      refundTransactionId: `${invoiceId} "ü"\u0001`,
      amountMinor: 300n,
      reason: 'One ticket\n returned \u2028 \\',
      reference: null,
      actor: null,
      recoverAt: NOW,
    },
    NOW,
  );
  const refundId = opened?.id ?? '';
  const failureReason = step === 'fail' ? 'account "closed"' : null;
  await endRefund(db, refundId, step, { reference: null, failureReason, now: NOW });
  return { invoiceId, refundId };
}

async function eventsOf(invoiceId: string) {
  const { rows } = await database.pool.query<{ id: string; state: string; body: string }>(
    `SELECT id, state, convert_from(body, 'UTF8') AS body FROM callbacks
     WHERE invoice_id = $1 AND kind = 'event' ORDER BY id`,
    [invoiceId],
  );
  return rows;
}

/** Has an invoice's due callback fail for good. */
async function exhaust(invoiceId: string) {
  const claimed = await claimDue(database.pool, { now: NOW, limit: 100 });
  const mine = claimed.find((each) => each.invoiceId === invoiceId);
  if (!mine) throw new Error('nothing is due');
  await recordResults(database.pool, [resultOf(mine, NOW, { state: 'exhausted' })]);
}

it('each type is sent with what the list tells of the event, under its id', async () => {
  await set('http://127.0.0.1:9/', SENT_EVENT_TYPES);
  const { pool } = database;
  const endDateMs = NOW.getTime() - 1;
  await createTestInvoice(pool, tenant, { now: NOW, endDateMs });
  await createTestInvoice(pool, tenant, { now: NOW, endDateMs });
  await expireDueInvoices(pool, { now: NOW, limit: 200 });
  const canceled = await createTestInvoice(pool, tenant, { now: NOW });
  await cancelInvoice(pool, tenant, canceled, { actor: { type: 'api' }, now: NOW });
  await exhaust(canceled);
  await refund('succeed');
  const { refundId } = await refund('fail');
  type Listed = { event_id: string; type: string; at: number; invoice_id: string };
  type Told = Listed & { refund_id?: string; data: Record<string, unknown> };
  let listed: Told[] = [];
  await until(async () => {
    const page = await listEvents(pool, tenant, { after: LOG_BEGINNING, limit: 100 });
    const { events } = JSON.parse(eventListText(page, LOG_BEGINNING)) as { events: Told[] };
    listed = events.filter(({ type }) => type !== 'invoice.created');
    return listed.some((event) => event.refund_id === refundId && event.type === 'refund.failed');
  });
  const { rows } = await pool.query<{ id: string; body: string; url: string; host: string }>(
    `SELECT id, convert_from(body, 'UTF8') AS body, url, host FROM callbacks
     WHERE merchant_id = $1 AND kind = 'event'`,
    [merchant.id],
  );
  expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(SENT_EVENT_TYPES));
  expect(rows.map(({ id }) => id).sort()).toEqual(listed.map((each) => each.event_id).sort());
  for (const { event_id, type, at, invoice_id, refund_id, data } of listed) {
    const sent = rows.find(({ id }) => id === event_id);
    const ids = refund_id === undefined ? { invoice_id } : { invoice_id, refund_id };
    const timestamp = new Date(at).toISOString();
    // Character by character, as JavaScript writes it.
    expect(sent?.body).toBe(JSON.stringify({ type, timestamp, data: { ...ids, ...data } }));
    expect(sent).toMatchObject({ url: 'http://127.0.0.1:9/', host: '127.0.0.1:9' });
  }
});

it('a refund that succeeds is told once, signed, and any 2xx is enough', async () => {
  const shop = await receiver();
  await set(shop.url);
  const { invoiceId, refundId } = await refund();
  expect(await deliverAt(NOW)).toEqual({ attempted: 1, delivered: 1 });
  expect(await deliverAt(later(86_400_000))).toEqual({ attempted: 0, delivered: 0 });
  const [received] = shop.received;
  const id = `evt_succeeded_${refundId.slice(4)}`;
  expect(JSON.parse(String(received?.body))).toMatchObject({
    type: 'refund.succeeded',
    timestamp: NOW.toISOString(),
    data: { invoice_id: invoiceId, refund_id: refundId, status: 2, amount: 300 },
  });
  const at = Number(received?.headers['webhook-timestamp']);
  expect(received?.headers).toMatchObject({
    'webhook-id': id,
    'webhook-signature': signature(
      [signingKey(TEST_SECRET)],
      id,
      at,
      received?.body ?? Buffer.alloc(0),
    ),
  });
  const found = await readCallback(database.pool, tenant, id, { now: NOW });
  expect(found?.callback).toMatchObject({
    kind: 'event',
    eventType: 'refund.succeeded',
    invoiceId,
    state: 'delivered',
    lastHttpStatus: 204,
  });
  // The invoice's own stays its notification.
  const own = await readCallback(database.pool, tenant, invoiceId, { now: NOW });
  expect(own?.callback).toMatchObject({ kind: 'notification', eventType: null });
});

it('the workers are woken when an event is written, and not without an address', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  closers.push(() => client.end());
  let woken = 0;
  client.on('notification', () => {
    woken += 1;
  });
  const { invoiceId, refundId } = await refund();
  await client.query(`LISTEN ${CALLBACK_DUE}`);
  const fail = (id: string) =>
    endRefund(database.pool, id, 'fail', { reference: null, failureReason: 'x', now: NOW });
  await fail(refundId);
  await client.query('SELECT 1');
  expect(woken).toBe(0);
  expect(await eventsOf(invoiceId)).toEqual([]);
  await client.query('UNLISTEN *');
  const other = await refund();
  await set('http://127.0.0.1:9/');
  await client.query(`LISTEN ${CALLBACK_DUE}`);
  await fail(other.refundId);
  await until(() => woken === 1);
});

it('only what was chosen is sent, and only of the environment', async () => {
  await set('http://127.0.0.1:9/', ['refund.failed', 'invoice.canceled']);
  expect(await eventsOf((await refund('succeed')).invoiceId)).toEqual([]);
  const { invoiceId } = await refund('fail');
  const [sent] = await eventsOf(invoiceId);
  expect(sent?.id).toMatch(/^evt_failed_/);
  const { pool } = database;
  const cancel = async (of: Tenant) => {
    const id = await createTestInvoice(pool, of, { now: NOW });
    await cancelInvoice(pool, of, id, { actor: { type: 'api' }, now: NOW });
    return eventsOf(id);
  };
  expect(await cancel(tenant)).toHaveLength(1);
  expect(await cancel(merchant.production.tenant)).toEqual([]);
});

it('no change is written without its event’s delivery, nor that without the change', async () => {
  const { pool } = database;
  await set('http://127.0.0.1:9/');
  const { invoiceId, refundId } = await refund();
  const fail = (db: pg.Pool) =>
    endRefund(db, refundId, 'fail', { reference: null, failureReason: 'x', now: NOW });
  const client = await pool.connect();
  await client.query('BEGIN');
  await fail(client as unknown as pg.Pool);
  await client.query('ROLLBACK');
  client.release();
  expect(await eventsOf(invoiceId)).toHaveLength(1);

  await pool.query(
    `ALTER TABLE callbacks ADD CONSTRAINT no_more CHECK (id NOT LIKE 'evt_failed%') NOT VALID`,
  );
  await expect(fail(pool)).rejects.toThrow('no_more');
  await pool.query('ALTER TABLE callbacks DROP CONSTRAINT no_more');
  const { rows } = await pool.query(
    `SELECT r.status, (SELECT count(*)::int FROM events WHERE refund_id = r.id) AS events
     FROM refunds r WHERE id = $1`,
    [refundId],
  );
  expect(rows).toEqual([{ status: 'SUCCEEDED', events: 2 }]);
});

it('an address that fails is tried by the schedule, then given up without another event, and resent by hand', async () => {
  let status = 500;
  const shop = await receiver((response) => response.writeHead(status).end());
  await set(shop.url, SENT_EVENT_TYPES);
  const { invoiceId, refundId } = await refund();
  const id = `evt_succeeded_${refundId.slice(4)}`;
  // The other events of the invoice are not looked at here.
  await database.pool.query(
    `UPDATE callbacks SET state = 'delivered' WHERE invoice_id = $1 AND id <> $2`,
    [invoiceId, id],
  );
  let at = NOW.getTime();
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    at += delayMs;
    expect(await deliverAt(new Date(at - 1))).toMatchObject({ attempted: 0 });
    expect(await deliverAt(new Date(at))).toEqual({ attempted: 1, delivered: 0 });
  }
  const read = () => readCallback(database.pool, tenant, id, { now: new Date(at) });
  expect((await read())?.callback).toMatchObject({
    state: 'exhausted',
    attemptCount: 11,
    lastReason: 'answered 500, not 2xx',
  });
  const { rows } = await database.pool.query(
    `SELECT FROM events WHERE invoice_id = $1 AND type = 'callback.exhausted'`,
    [invoiceId],
  );
  expect(rows).toEqual([]);
  const { callbacks } = await listCallbacks(database.pool, tenant, {
    kind: 'event',
    states: ['exhausted'],
    cursor: null,
    limit: 10,
    now: new Date(at),
  });
  expect(callbacks).toMatchObject([{ id, eventType: 'refund.succeeded' }]);

  status = 202;
  const asked = { actor: ACTOR, now: new Date(at + 1) };
  expect(await resendCallback(database.pool, tenant, id, asked)).toBe('queued');
  expect(await deliverAt(new Date(at + 1))).toEqual({ attempted: 1, delivered: 1 });
  const audit = await database.pool.query(
    `SELECT target_type, target_id FROM audit_log WHERE action = 'callback.resend' AND merchant_id = $1`,
    [merchant.id],
  );
  expect(audit.rows).toEqual([{ target_type: 'event', target_id: id }]);
});

it('what waited when the address was removed or changed still goes where it was to go', async () => {
  const first = await receiver();
  const second = await receiver();
  await set(first.url);
  await refund();
  await set(second.url);
  expect(await removeEventAddress(database.pool, tenant, { actor: ACTOR, now: NOW })).toBe(true);
  expect(await removeEventAddress(database.pool, tenant, { actor: ACTOR, now: NOW })).toBe(false);
  expect(await readEventAddress(database.pool, tenant)).toBeNull();
  await refund();
  expect(await deliverAt(NOW)).toEqual({ attempted: 1, delivered: 1 });
  expect([first.received.length, second.received.length]).toEqual([1, 0]);
});

it.each(['sandbox', 'production'] as const)(
  'an address for events that hangs leaves room for callbacks in %s',
  async (environment) => {
    const { pool } = database;
    tenant = merchant[environment].tenant;
    await set('http://127.0.0.1:9/', ['invoice.canceled']);
    for (let count = 0; count < 12; count += 1) {
      const id = await createTestInvoice(pool, tenant, { now: NOW });
      await cancelInvoice(pool, tenant, id, { actor: { type: 'api' }, now: NOW });
    }
    await pool.query(
      `UPDATE callbacks SET state = 'delivered'
      WHERE merchant_id = $1 AND kind = 'notification'`,
      [merchant.id],
    );
    const hanging = await claimDue(pool, { now: NOW, limit: 100 });
    expect(hanging.map(({ kind }) => kind)).toEqual(new Array(5).fill('event'));
    const url = 'http://127.0.0.1:9/callback';
    await insertDue(pool, { merchantId: merchant.id, environment, url, at: NOW, count: 12 });
    const claimed = await claimDue(pool, { now: later(1), limit: 100 });
    // One of the ten is kept for production's first attempts.
    const room = environment === 'production' ? 5 : 4;
    expect(claimed.map(({ kind }) => kind)).toEqual(new Array(room).fill('notification'));
  },
);
