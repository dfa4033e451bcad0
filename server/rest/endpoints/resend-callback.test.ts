import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../../invoices/merchant-invoices.ts';
import { createLogger } from '../../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import type { Answer } from '../types.ts';
import { resendCallbackEndpoint } from './resend-callback.ts';

const HOUR_MS = 3_600_000;
const T0 = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let merchant: MerchantFixture;
let other: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  other = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

/** The answer of the merchant's sandbox to a resend at `now`. */
async function resend(invoiceId: string, now = T0) {
  const context = {
    db: database.pool,
    invoices: oneByOneInvoices(database.pool),
    publicUrl: '',
    clock: () => now,
    log: createLogger('silent'),
  };
  const answering = resendCallbackEndpoint.handle(context, {
    tenant: merchant.sandbox.tenant,
    tokenId: 'tok_1',
    requestId: 'req_1',
    query: new URLSearchParams(),
    header: (name) => (name === 'content-type' ? 'application/json' : null),
    body: Buffer.from(JSON.stringify({ invoice_id: invoiceId })),
    now,
  });
  const { status, body } = await (answering as Promise<Answer>);
  const { error } = JSON.parse(String(body));
  return [status, error?.message ?? null];
}

test('an invoice of nobody, of another merchant or of the other environment is not found', async () => {
  const foreign = await createTestInvoice(database.pool, other.sandbox.tenant, { now: T0 });
  const live = await createTestInvoice(database.pool, merchant.production.tenant, { now: T0 });
  for (const id of ['inv_none', '\0', 'x'.repeat(513), foreign, live]) {
    expect([id, ...(await resend(id))]).toEqual([id, 404, 'Invoice not found']);
  }
});

test('one that is pending has no callback yet, until its end has come', async () => {
  const ends = { now: T0, endDateMs: T0.getTime() + HOUR_MS };
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, ends);
  expect(await resend(id)).toEqual([404, 'Invoice has no callback yet']);
  expect(await resend(id, new Date(ends.endDateMs + 1))).toEqual([200, null]);
});
