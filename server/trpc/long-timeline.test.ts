import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSession, findSession } from '../auth/sessions.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { insertDue, notificationOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const RESENDS = 250;
const TRIES = 300;
const SHOWN = 200;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('tells the newest of what was paid and sent without end, and still who created and cancelled', async () => {
  const { pool } = database;
  const { merchantId, owner } = await createMerchant(pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const [invoiceId = ''] = await insertDue(pool, {
    merchantId,
    url: 'http://127.0.0.1:1/',
    at: NOW,
  });
  await pool.query(
    `INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type)
     VALUES ($1, 'PENDING', 'CANCELED', $2, 'staff')`,
    [invoiceId, NOW.toISOString()],
  );
  // One resend and its attempt for each minute, after the creation and the cancellation.
  await pool.query(
    `INSERT INTO audit_log (at, actor_type, actor_label, merchant_id, environment, action,
       target_type, target_id)
     SELECT $3::timestamptz + n * interval '1 minute', 'staff',
            CASE n WHEN -2 THEN 'creator@example.com' WHEN -1 THEN 'canceller@example.com'
              ELSE 'n' || n END, $2, 'sandbox',
            CASE n WHEN -2 THEN 'invoice.create' WHEN -1 THEN 'invoice.cancel'
              ELSE 'callback.resend' END, 'invoice', $1
     FROM generate_series(-2, $4::int) n WHERE n <> 0 ORDER BY n`,
    [invoiceId, merchantId, NOW.toISOString(), RESENDS],
  );
  await pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT $1, n, $2::timestamptz + n * interval '1 minute', 1, true, 'resend'
     FROM generate_series(1, $3::int) n`,
    [notificationOf(invoiceId), NOW.toISOString(), RESENDS],
  );
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT 'pay_' || n, $1, 'declined', 'sandbox', 1500, 'USD', 'visa', '0002', at, at
     FROM generate_series(1, $3::int) n,
       LATERAL (SELECT $2::timestamptz + interval '1 day' + n * interval '1 s' AS at) moment`,
    [invoiceId, NOW.toISOString(), TRIES],
  );
  const { id } = await createSession(pool, {
    userId: owner.userId,
    address: null,
    userAgent: null,
    now: NOW,
  });
  const session = await findSession(pool, id, NOW);
  const context = contextOf(session, {
    db: pool,
    environment: 'sandbox',
    address: null,
    now: NOW,
  });
  const { timeline, paymentCount } = await createCaller(context).invoices.read({ invoiceId });
  const told = timeline.map((entry) => {
    if (entry.kind === 'staff') return entry.actor;
    if (entry.kind === 'callback') return `attempt ${entry.attempt.number}`;
    if (entry.kind === 'payment') return entry.attemptId;
    if (entry.kind === 'dispute') return entry.dispute.id;
    if (entry.kind === 'refund') return entry.refund.id;
    if (entry.kind === 'email') return entry.email.id;
    return `${entry.kind} by ${entry.by}`;
  });
  const newest = Array.from({ length: SHOWN }, (_, n) => RESENDS - SHOWN + n + 1);
  expect(told).toEqual([
    'created by creator@example.com',
    'status by canceller@example.com',
    ...newest.flatMap((n) => [`n${n}`, `attempt ${n}`]),
    ...Array.from({ length: SHOWN }, (_, n) => `pay_${TRIES - SHOWN + n + 1}`),
  ]);
  expect(paymentCount).toBe(TRIES);
});
