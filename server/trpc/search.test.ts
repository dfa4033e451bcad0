import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  readRequestQuery,
  toRequestFilters,
} from '#app/dashboard/[environment]/developers/_parts/request-query.ts';
import {
  readInvoiceQuery,
  toFilters,
} from '#app/dashboard/[environment]/invoices/_parts/invoice-query.ts';
import { createSession, findSession } from '../auth/sessions.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('finds a transaction id with blanks around it, and one of as many emoji as there may be', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const { userId } = owner;
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
  const session = await findSession(db, id, NOW);
  const api = createCaller(
    contextOf(session, { db, environment: 'sandbox', address: null, now: NOW }),
  );
  const tenant = grantTenant(merchantId, 'sandbox');
  for (const merchantTransactionId of [' lead-1', 'trail-1\u00a0', '🧾'.repeat(255)]) {
    const invoiceId = await createTestInvoice(db, tenant, { merchantTransactionId, now: NOW });
    const filters = toFilters(readInvoiceQuery({ q: merchantTransactionId }), 'UTC');
    const { invoices } = await api.invoices.list({ filters });
    expect(invoices.map((each) => each.id)).toEqual([invoiceId]);
    const asked = toRequestFilters(readRequestQuery({ q: merchantTransactionId }));
    expect(asked.search).toBe(merchantTransactionId);
    expect(await api.developers.requests(asked)).toMatchObject({ requests: [] });
  }
});

it('finds a payment by its amount and hour in the zone of whoever asks, and by its buyer for whom it may concern', async () => {
  const { pool: db } = database;
  const { merchantId, owner } = await createMerchant(db, {
    name: 'Café',
    ownerEmail: 'owner@cafe.example',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  const tenant = grantTenant(merchantId, 'sandbox');
  const at = (time: string, amountMinor: number) =>
    createTestInvoice(db, tenant, { now: new Date(`2026-11-21T${time}Z`), amountMinor });
  const noon = await at('07:30', 8_100_000);
  await at('07:40', 8_500_000);
  await at('08:10', 8_000_000);
  await db.query(
    `INSERT INTO buyer_contacts (invoice_id, address, locale) VALUES ($1, 'ali@mail.uz', 'uz')`,
    [noon],
  );
  const apiOf = async () => {
    const { userId } = owner;
    const { id } = await createSession(db, { userId, address: null, userAgent: null, now: NOW });
    const session = await findSession(db, id, NOW);
    return createCaller(
      contextOf(session, { db, environment: 'sandbox', address: null, now: NOW }),
    );
  };
  const found = async (search: string, timeZone: string) => {
    const { invoices } = await (await apiOf()).invoices.list({ filters: { search, timeZone } });
    return invoices.map(({ id }) => id);
  };
  expect(await found('about 80 000 today 12:00–13:00', 'Asia/Tashkent')).toEqual([noon]);
  expect(await found('about 80 000 today 12:00–13:00', 'UTC')).toEqual([]);
  expect(await found('81000 ali@mail.uz', 'UTC')).toEqual([noon]);
  await db.query(`UPDATE memberships SET role = 'cashier' WHERE merchant_id = $1`, [merchantId]);
  expect(await found('81000 ali@mail.uz', 'UTC')).toEqual([]);
});
