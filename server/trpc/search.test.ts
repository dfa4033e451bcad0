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
