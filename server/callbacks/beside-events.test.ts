import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelInvoice } from '../invoices/cancel.ts';
import { listInvoices } from '../invoices/lists/list.ts';
import { readInvoiceDetails } from '../invoices/reading/records.ts';
import { notificationOf, resultOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice, NO_FILTERS } from '../testing/invoices.ts';
import { readCallback } from './data.ts';
import { claimDue } from './queue/claim.ts';
import { recordResults } from './queue/record.ts';
import { resendCallback } from './resend.ts';

// An invoice can have callbacks that tell of events, beside its one notification.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
/** Has a notification that waits and an event that was given up. */
let canceled: string;
/** Has an event that was given up, and no notification. */
let pending: string;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  const { tenant } = merchant.sandbox;
  canceled = await createTestInvoice(database.pool, tenant, { now: NOW });
  pending = await createTestInvoice(database.pool, tenant, { now: NOW });
  await cancelInvoice(database.pool, tenant, canceled, { actor: { type: 'api' }, now: NOW });
  await add(`evt_${canceled}`, 'event', canceled);
  await add(`evt_${pending}`, 'event', pending);
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT id, 1, created_at, 5, false, 'schedule' FROM callbacks WHERE kind = 'event'`,
  );
});
afterAll(() => database.drop());

const add = (id: string, kind: 'notification' | 'event', invoiceId: string) =>
  database.pool.query(
    `INSERT INTO callbacks (id, kind, target, invoice_id, merchant_id, environment, url, host,
       invoice_status, body, state, attempt_count, next_attempt_at, created_at)
     VALUES ($1, $2::callback_kind,
       CASE $2 WHEN 'event' THEN 'events_address' ELSE 'callback_url' END::callback_target,
       $3, $4, 'sandbox', 'http://127.0.0.1:1/', 'h', 'CANCELED', '{}', 'exhausted', 1, $5, $5)`,
    [id, kind, invoiceId, merchant.id, NOW],
  );

const of = <Rest extends unknown[], R>(
  read: (
    pool: TestDatabase['pool'],
    tenant: MerchantFixture['sandbox']['tenant'],
    ...rest: Rest
  ) => R,
  ...rest: Rest
): R => read(database.pool, merchant.sandbox.tenant, ...rest);

test('an invoice has one notification, whatever its id', async () => {
  await expect(add('ntf_other', 'notification', pending)).rejects.toThrow('one_notification');
  const again = add(notificationOf(canceled), 'notification', canceled);
  await expect(again).rejects.toThrow('callbacks_pkey');
});

test('an invoice shows its notification alone', async () => {
  const shown = await of(readCallback, canceled, { now: NOW });
  expect(shown?.callback).toMatchObject({ id: notificationOf(canceled), state: 'pending' });
  expect(shown?.attempts).toEqual([]);
  expect(await of(readCallback, pending, { now: NOW })).toBeNull();
  const context = { now: NOW, requestId: 'req_1' };
  const details = async (invoiceId: string) =>
    (await of(readInvoiceDetails, { invoiceId }, context))?.callback;
  expect(await details(canceled)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await details(pending)).toBeNull();
});

test('lists find invoices by the state of their notification, by an index and by a search', async () => {
  const found = async (callbackState: 'pending' | 'exhausted', search = '') => {
    const filters = { ...NO_FILTERS, callbackState, search };
    const page = { filters, cursor: null, limit: 10 };
    return (await of(listInvoices, page)).invoices.map(({ id }) => id);
  };
  expect(await found('pending')).toEqual([canceled]);
  expect(await found('exhausted')).toEqual([]);
  expect(await found('pending', canceled)).toEqual([canceled]);
  expect(await found('exhausted', canceled)).toEqual([]);
});

test('a resend is of the notification', async () => {
  const asked = { actor: ACTOR, now: NOW };
  expect(await of(resendCallback, pending, asked)).toBe('not_found');
  expect(await of(resendCallback, canceled, asked)).toBe('queued');
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS events FROM callbacks WHERE kind = 'event' AND state = 'exhausted'",
  );
  expect(rows).toEqual([{ events: 2 }]);
});

test('an event that is given up is none itself', async () => {
  await database.pool.query("UPDATE callbacks SET state = 'pending'");
  const claimed = await claimDue(database.pool, { now: NOW, limit: 10 });
  const gaveUp = { state: 'exhausted', httpStatus: 500, reason: 'answered 500' } as const;
  await recordResults(
    database.pool,
    claimed.map((callback) => resultOf(callback, NOW, gaveUp)),
  );
  const { rows } = await database.pool.query(
    `SELECT invoice_id, (SELECT count(*)::int FROM callbacks WHERE state = 'exhausted') AS exhausted
     FROM events WHERE type = 'callback.exhausted'`,
  );
  expect(rows).toEqual([{ invoice_id: canceled, exhausted: 3 }]);
});
