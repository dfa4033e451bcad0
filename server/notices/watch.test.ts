import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice, writeInvoices } from '../testing/invoices.ts';
import { openMerchant } from '../testing/merchants.ts';
import { saveChoices } from './choices.ts';
import { lookAtStates } from './found-states.ts';
import type { NoticeChoice, NoticeContent, Place } from './types.ts';
import { watchMerchants } from './watch.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const after = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A merchant whose owner has chosen nothing, looked at once. */
async function newShop() {
  const db = database.pool;
  const made = await openMerchant(db, {
    name: 'Kiosk',
    ownerEmail: `${randomUUID()}@example.com`,
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  await watchMerchants(db, { now: NOW });
  const place: Place = { merchantId: made.merchantId, environment: 'production' };
  return { place, ownerId: made.owner.userId, tenant: grantTenant(made.merchantId, 'production') };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const choose = (shop: Shop, userId: string, choices: Partial<NoticeChoice>[]) =>
  saveChoices(database.pool, shop.place, {
    userId,
    choices: choices.map((each) => ({
      kind: 'payment',
      channels: ['email'],
      payments: null,
      ...each,
    })),
    locale: 'en',
    now: NOW,
  });

async function join({ place }: Shop, role: string): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const { id } = await findOrCreateUser(database.pool, {
    email,
    password: 'correct horse battery',
    now: NOW,
  });
  await database.pool.query(
    'INSERT INTO memberships (user_id, merchant_id, role) VALUES ($1, $2, $3)',
    [id, place.merchantId, role],
  );
  return id;
}

async function noticesOf(userId: string): Promise<NoticeContent[]> {
  const { rows } = await database.pool.query<{ content: NoticeContent }>(
    'SELECT content FROM notices WHERE user_id = $1 ORDER BY created_at, subject',
    [userId],
  );
  return rows.map(({ content }) => content);
}

/** Looks until there are as many: transactions of other tests may hold the newest events back. */
async function noticesUntil(
  userId: string,
  count: number,
  now = after(1),
): Promise<NoticeContent[]> {
  await expect
    .poll(
      async () => {
        await watchMerchants(database.pool, { now });
        return (await noticesOf(userId)).length;
      },
      { timeout: 20_000 },
    )
    .toBe(count);
  return await noticesOf(userId);
}

/** Writes an event as the statement of a change does. */
async function writeEvent({ place }: Shop, type: string, invoiceId: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO events (position, merchant_id, environment, type, at, invoice_id)
     VALUES (event_position(), $1, $2, $3, $4, $5)`,
    [place.merchantId, place.environment, type, NOW.toISOString(), invoiceId],
  );
}

async function pay(shop: Shop, amountMinor: number): Promise<string> {
  const id = await createTestInvoice(database.pool, shop.tenant, { now: NOW, amountMinor });
  await writeEvent(shop, 'invoice.paid', id);
  return id;
}

it('100,000 failing callbacks are one notice and one all-clear', async () => {
  const shop = await newShop();
  const db = database.pool;
  const { merchantId, environment } = shop.place;
  await writeInvoices(db, shop.tenant, [
    { id: `inv_${merchantId}`, createdAtMs: 0, changedAtMs: 0, status: 'PAID', currency: 'UZS' },
  ]);
  await db.query('ALTER TABLE callbacks DISABLE TRIGGER ALL');
  await db.query(
    `INSERT INTO callbacks (id, kind, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       state, attempt_count, next_attempt_at, created_at, last_reason)
     SELECT 'evt_' || $1 || n, 'event', 'inv_' || $1, $1, $2::environment, 'https://shop.example/c',
       'shop.example', 'PAID', '', 'pending', 3, $3::timestamptz + interval '1 hour',
       $3::timestamptz - interval '1 minute', 'timeout'
     FROM generate_series(1, 100000) AS n`,
    [merchantId, environment, NOW.toISOString()],
  );
  await db.query('ALTER TABLE callbacks ENABLE TRIGGER ALL');
  for (const minutes of [0, 1, 2]) await watchMerchants(db, { now: after(minutes) });
  expect(await noticesOf(shop.ownerId)).toEqual([
    { what: 'callbacks_failing', host: 'shop.example' },
  ]);

  await db.query(
    `UPDATE callbacks SET state = 'delivered', delivered_at = $2 WHERE merchant_id = $1`,
    [merchantId, after(11).toISOString()],
  );
  for (const minutes of [11, 12, 13, 30]) await watchMerchants(db, { now: after(minutes) });
  expect(await noticesOf(shop.ownerId)).toEqual([
    { what: 'callbacks_failing', host: 'shop.example' },
    { what: 'callbacks_well' },
  ]);
}, 120_000);

it('a payment, a failed refund and a callback given up are told once each, a burst in one notice', async () => {
  const shop = await newShop();
  await choose(shop, shop.ownerId, [
    { payments: { scope: 'all', aboveMinor: null, currency: null } },
  ]);
  const paid = await pay(shop, 2500);
  const invoice = { id: paid, amountMinor: '2500', currency: 'USD', description: 'Two tickets' };
  expect(await noticesUntil(shop.ownerId, 1)).toMatchObject([
    { what: 'payment', count: 1, invoices: [invoice] },
  ]);

  await writeEvent(shop, 'refund.failed', paid);
  for (let n = 0; n < 7; n++) await writeEvent(shop, 'callback.exhausted', paid);
  await expect
    .poll(
      async () => {
        await watchMerchants(database.pool, { now: after(2) });
        const told = (await noticesOf(shop.ownerId)) as { what: string; count: number }[];
        const countOf = (what: string) =>
          told.filter((each) => each.what === what).reduce((sum, { count }) => sum + count, 0);
        return [countOf('payment'), countOf('refund_failed'), countOf('callback_exhausted')];
      },
      { timeout: 20_000 },
    )
    .toEqual([1, 1, 7]);
});

it('payments are told above an amount, or of one’s own links, as each person chose', async () => {
  const shop = await newShop();
  const [above, own] = [await join(shop, 'finance'), await join(shop, 'support')];
  await choose(shop, above, [{ payments: { scope: 'above', aboveMinor: 2000n, currency: 'USD' } }]);
  await choose(shop, own, [{ payments: { scope: 'own', aboveMinor: null, currency: null } }]);
  const small = await pay(shop, 2000);
  const great = await pay(shop, 2001);
  const link = await createTestInvoice(database.pool, shop.tenant, { now: NOW });
  await database.pool.query(
    `INSERT INTO audit_log (actor_type, actor_id, actor_label, merchant_id, action, target_id)
     VALUES ('staff', $1, 'x', $2, 'invoice.create', $3)`,
    [own, shop.place.merchantId, link],
  );
  await writeEvent(shop, 'invoice.paid', link);
  const use = await createTestInvoice(database.pool, shop.tenant, { now: NOW });
  await database.pool.query(
    `WITH link AS (
       INSERT INTO payment_links (id, code, merchant_id, environment, title, currency, amount_minor,
         asks_note, asks_email, asks_phone, created_by_id, created_at)
       VALUES ('lnk_1', 'code', $1, 'production', 'Tea', 'USD', 1500, 'off', 'off', 'off', $2, $3)
       RETURNING id)
     INSERT INTO payment_link_uses (invoice_id, link_id, quantity) SELECT $4, id, 1 FROM link`,
    [shop.place.merchantId, own, NOW.toISOString(), use],
  );
  await writeEvent(shop, 'invoice.paid', use);
  const idsTold = async (userId: string) => {
    await watchMerchants(database.pool, { now: after(1) });
    const told = (await noticesOf(userId)) as { invoices: { id: string }[] }[];
    return told.flatMap(({ invoices }) => invoices.map(({ id }) => id)).sort();
  };
  await expect.poll(() => idsTold(own), { timeout: 20_000 }).toEqual([link, use].sort());
  expect(await idsTold(above)).toEqual([great]);
  expect(small).not.toBe(great);
  expect(await noticesOf(shop.ownerId)).toEqual([]);
});

it('an account that is down, books that differ and a sign-in are told once each', async () => {
  const db = database.pool;
  const shop = await newShop();
  await choose(shop, shop.ownerId, [
    { kind: 'books_differ' },
    { kind: 'sign_in' },
    { kind: 'account_down' },
  ]);
  const { merchantId, environment } = shop.place;
  await db.query(
    `INSERT INTO acquirer_accounts (id, merchant_id, environment, provider, name, position, credentials, created_at, down_since)
     VALUES ('acc_' || $1, $1, $2::environment, 'payme', 'Payme', 0, '', $3, $3)`,
    [merchantId, environment, NOW.toISOString()],
  );
  await db.query(
    `INSERT INTO book_differences (id, account_id, kind, what, our_id, at, found_at, seen_at)
     SELECT 'dif_' || $1 || n, 'acc_' || $1, 'payment', 'missing_there', 'pay_' || n, $2, $2, $2
     FROM generate_series(1, 3) AS n`,
    [merchantId, NOW.toISOString()],
  );
  await db.query(
    `INSERT INTO audit_log (at, actor_type, actor_label, merchant_id, action, target_id, address)
     VALUES ($3, 'staff', 'x', $1, 'session.sign_in', $2, '192.0.2.7')`,
    [merchantId, shop.ownerId, after(1).toISOString()],
  );
  for (const minutes of [2, 3]) await lookAtStates(db, { now: after(minutes) });
  expect(await noticesOf(shop.ownerId)).toEqual([
    { what: 'account_down', account: 'Payme' },
    { what: 'books_differ', account: 'Payme', count: 3 },
    { what: 'sign_in', address: '192.0.2.7', atMs: after(1).getTime() },
  ]);
});

it('nothing is told to whom it is muted, to a role that may not see it, or to another merchant’s staff', async () => {
  const shop = await newShop();
  const other = await newShop();
  const viewer = await join(shop, 'viewer');
  const finance = await join(shop, 'finance');
  const witness = await join(shop, 'admin');
  await choose(shop, shop.ownerId, [{ kind: 'refund_failed', channels: [] }]);
  await choose(shop, viewer, [{ kind: 'refund_failed' }]);
  await choose(shop, witness, [{ kind: 'refund_failed' }]);
  const invoice = await createTestInvoice(database.pool, shop.tenant, { now: NOW });
  await writeEvent(shop, 'refund.failed', invoice);
  await noticesUntil(witness, 1);
  for (const id of [shop.ownerId, viewer, finance, other.ownerId]) {
    expect(await noticesOf(id)).toEqual([]);
  }
});

it('two workers that look at the same moment tell once', async () => {
  const shop = await newShop();
  const invoice = await createTestInvoice(database.pool, shop.tenant, { now: NOW });
  await writeEvent(shop, 'refund.failed', invoice);
  await Promise.all([1, 2, 3].map(() => watchMerchants(database.pool, { now: after(1) })));
  await noticesUntil(shop.ownerId, 1);
});
