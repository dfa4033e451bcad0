import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { readContact } from '#server/receipts/contacts.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '#server/testing/factories.ts';
import { createTestLink } from '#server/testing/links.ts';

const process = vi.hoisted(() => ({ pool: null as unknown }));
vi.mock('#app/_i18n/request-locale.ts', () => ({ requestLocale: async () => 'uz' }));
vi.mock('#server/db/pool.ts', async (original) => ({
  ...(await original<typeof import('#server/db/pool.ts')>()),
  getPool: () => process.pool,
}));

const { POST } = await import('./route.ts');
const { keptOrder, TYPED_ORDER } = await import('../typed-order.ts');

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
beforeEach(() => {
  process.pool = database.pool;
});
afterAll(() => database.drop());

const OPEN = { price: { leastMinor: 100_000n, greatestMinor: 500_000n } };
const make = (overrides: Partial<Parameters<typeof createTestLink>[2]> = {}) =>
  createTestLink(database.pool, merchant.sandbox.tenant, { now: new Date(), ...overrides });

async function post(code: string, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ formKey: randomUUID(), ...fields })) {
    body.set(name, value);
  }
  const request = new Request('https://pay.example', { method: 'POST', body });
  const answer = await POST(request, { params: Promise.resolve({ code }) });
  expect(answer.status).toBe(303);
  return {
    to: answer.headers.get('location') ?? '',
    cookie: answer.headers.get('set-cookie') ?? '',
  };
}

it('leads to the payment page of an invoice over what was typed', async () => {
  const { code } = await make(OPEN);
  const { to } = await post(code, { amount: '1 234,50' });
  const { rows } = await database.pool.query(
    'SELECT amount_minor::text AS minor, environment FROM invoices WHERE id = $1',
    [to.replace('/pay/', '')],
  );
  expect(rows).toEqual([{ minor: '123450', environment: 'sandbox' }]);
});

it('keeps the buyer’s e-mail address for the payment confirmation', async () => {
  const { code } = await make({ asksEmail: 'optional' });
  const { to } = await post(code, { email: 'ann@example.com' });
  expect(await readContact(database.pool, to.replace('/pay/', ''))).toEqual({
    address: 'ann@example.com',
    locale: 'uz',
  });
});

it('leads back with each fault, and keeps what was typed out of the address', async () => {
  const { code } = await make({ ...OPEN, asksEmail: 'required' });
  const typed = { amount: '5000.01', email: 'ann@nowhere' };
  const { to, cookie } = await post(code, typed);
  expect(to).toBe(`/link/${code}?fault=amount_high&fault=email_format`);
  expect(cookie).toContain(`Path=/link/${code}; Max-Age=600; HttpOnly`);
  const [, kept] = new RegExp(`^${TYPED_ORDER}=([^;]+)`).exec(cookie) ?? [];
  expect(keptOrder(kept)).toEqual({ quantity: '', note: '', phone: '', ...typed });
});

it('leads back to a link that takes nobody, which says why', async () => {
  const { code } = await make({ endsAtMs: Date.now() - 1 });
  expect((await post(code, {})).to).toBe(`/link/${code}`);
  expect((await post('0123456789', {})).to).toBe('/link/0123456789');
});

it('keeps one address from ordering without end', async () => {
  const { code } = await make();
  await database.pool.query(
    `INSERT INTO throttles (key, count, ends_at) VALUES ('orders unknown', 500, now() + '1 h')
     ON CONFLICT (key) DO UPDATE SET count = 500`,
  );
  expect((await post(code, {})).to).toBe(`/link/${code}?fault=throttled`);
});
