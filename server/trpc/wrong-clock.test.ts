import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createSession, findSession } from '../auth/sessions.ts';
import { readClockOffset } from '../db/clock-offset.ts';
import { timeOfId } from '../lib/ids.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { setClock, wall } from '../testing/wall-clock.ts';
import { contextOf } from './context.ts';
import { createCaller } from './root.ts';

const HOUR_MS = 3_600_000;
const FORM = {
  amountMinor: 1_500,
  currency: 'USD' as const,
  description: 'Made by hand',
  hours: 1,
  positions: [{ title: 'Beans', amountMinor: 1_500 }],
  successUrl: 'https://shop.example/thanks',
  errorUrl: 'https://shop.example/cart',
  callbackUrl: 'https://shop.example/callback',
};

let database: TestDatabase;
let caller: () => ReturnType<typeof createCaller>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool: db } = database;
  const now = new Date();
  const { owner } = await createMerchant(db, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now,
  });
  const { userId } = owner;
  const { id } = await createSession(db, { userId, address: null, userAgent: null, now });
  const session = await findSession(db, id, now);
  caller = () => {
    const asked = { db, environment: 'sandbox', address: null, now: new Date(Date.now()) } as const;
    return createCaller(contextOf(session, asked));
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await readClockOffset(database.pool);
});
afterAll(() => database.drop());

test.each([
  ['behind', -5 * HOUR_MS],
  ['ahead', 3 * HOUR_MS],
])(
  'where the clock is %s, an invoice made by hand is, ends and is cancelled by the database’s time',
  async (word, aheadMs) => {
    setClock(aheadMs);
    await readClockOffset(database.pool);
    const { paymentLinks, invoices, callbacks } = caller();
    const made = await paymentLinks.create({
      ...FORM,
      formKey: crypto.randomUUID(),
      reference: `made ${word}`,
    });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const { invoiceId } = made;
    const { invoice } = await invoices.read({ invoiceId });
    expect(Math.abs(timeOfId(invoiceId) - wall())).toBeLessThan(HOUR_MS / 4);
    expect(Math.abs(invoice.endDateMs - wall() - HOUR_MS)).toBeLessThan(HOUR_MS / 4);
    await invoices.cancel({ invoiceId });
    const { invoice: canceled } = await invoices.read({ invoiceId });
    expect(Math.abs(canceled.statusChangedAtMs - wall())).toBeLessThan(HOUR_MS / 4);
    const { sinceMs } = await callbacks.countFailedWithin({ hours: 1 });
    expect(Math.abs(sinceMs - wall() + HOUR_MS)).toBeLessThan(HOUR_MS / 4);
  },
);
