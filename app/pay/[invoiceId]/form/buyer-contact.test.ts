import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '#server/testing/factories.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { withOwnDataDir } from '#server/testing/settings.ts';

const process = vi.hoisted(() => ({ pool: null as unknown, smtpUrl: null as string | null }));
vi.mock('next/cache', () => ({ refresh: () => undefined }));
vi.mock('next/headers', () => ({
  headers: async () => new Headers({ 'next-action': 'x', 'accept-language': 'uz' }),
  cookies: async () => new Map(),
}));
vi.mock('#server/db/pool.ts', async (original) => ({
  ...(await original<typeof import('#server/db/pool.ts')>()),
  getPool: () => process.pool,
}));
vi.mock('#server/settings/settings.ts', async (original) => {
  const real = await original<typeof import('#server/settings/settings.ts')>();
  const settings = () => {
    const own = real.settings();
    return { ...own, mail: { ...own.mail, smtpUrl: process.smtpUrl } };
  };
  return { ...real, settings };
});

const { pay } = await import('../actions.ts');
const { EMPTY_FORM } = await import('./form-state.ts');

let database: TestDatabase;
let merchant: MerchantFixture;
withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase();
  process.pool = database.pool;
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());
beforeEach(() => {
  process.smtpUrl = 'smtp://127.0.0.1:2525';
});

/** Pays by the form with the test card, and with an address where the form has the field. */
async function payWith(email: string | null) {
  const now = new Date();
  const endDateMs = now.getTime() + 3_600_000;
  const id = await createTestInvoice(database.pool, merchant.sandbox.tenant, { now, endDateMs });
  const form = new FormData();
  const card = {
    invoiceId: id,
    cardNumber: '4242 4242 4242 4242',
    expiryDate: '12 / 40',
    securityCode: '123',
    nameOnCard: 'Anna',
    ...(email === null ? {} : { email }),
  };
  for (const [name, value] of Object.entries(card)) form.set(name, value);
  const answer = await pay(EMPTY_FORM, form);
  const { rows } = await database.pool.query(
    `SELECT i.status, e.address, e.locale, e.kind FROM invoices i
     LEFT JOIN receipt_emails e ON e.invoice_id = i.id WHERE i.id = $1`,
    [id],
  );
  return { faults: answer.faults, ...rows[0] };
}

test('who pays by card and gives an address gets an e-mail in the language of the page', async () => {
  expect(await payWith(' anna@example.com ')).toEqual({
    faults: {},
    status: 'PAID',
    address: 'anna@example.com',
    locale: 'uz',
    kind: 'paid',
  });
});

test.each([
  ['left empty', '', 'smtp://127.0.0.1:2525'],
  ['not there', null, 'smtp://127.0.0.1:2525'],
  ['filled in where no mail server is set', 'anna@example.com', null],
])('the payment is the same with the field %s', async (_, email, smtpUrl) => {
  process.smtpUrl = smtpUrl;
  expect(await payWith(email)).toMatchObject({ faults: {}, status: 'PAID', address: null });
});

test('an address with a mistake is named, and nothing is charged', async () => {
  expect(await payWith('anna@example')).toMatchObject({
    faults: { email: 'email_format' },
    status: 'PENDING',
  });
});
