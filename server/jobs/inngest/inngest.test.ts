import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDelivery } from '../../callbacks/queue/delivery.ts';
import { createSigningSecret } from '../../merchants/signing-secrets.ts';
import type { Tenant } from '../../merchants/types.ts';
import { insertDue, openShop, type Shop } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { quietInngest, runFunction } from '../../testing/inngest-functions.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { JOBS } from '../registry.ts';
import { createJobFunctions } from './inngest.ts';

const CREATED = new Date('2026-11-21T12:00:00.000Z');
const END = new Date('2026-11-21T12:10:00.000Z');

let database: TestDatabase;
let shop: Shop;
let merchantId: string;
let tenant: Tenant;
let now: Date;

beforeAll(() => {
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
});

afterAll(() => {
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  database = await createTestDatabase();
  shop = await openShop();
  const merchant = await createMerchantFixture(database.pool);
  merchantId = merchant.id;
  tenant = merchant.sandbox.tenant;
  const owner = { merchantId, environment: 'sandbox' } as const;
  await createSigningSecret(database.pool, { ...owner, now: CREATED });
  now = CREATED;
});

afterEach(async () => {
  await closeDelivery();
  await shop.close();
  await database.drop();
});

const functions = createJobFunctions(quietInngest(), {
  db: () => database.pool,
  clock: () => now,
});
const run = (id: string) => runFunction(functions, id);

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [id]);
  return rows[0]?.status;
}

const invoice = () =>
  createTestInvoice(database.pool, tenant, {
    now: CREATED,
    endDateMs: END.getTime(),
    callbackUrl: shop.url,
  });

test.each(['expire-invoices', 'sweep-expire-due-invoices'])(
  '%s expires what has ended and delivers its callback, and nothing before',
  async (id) => {
    const invoiceId = await invoice();
    now = END;
    await expect(run(id)).resolves.toEqual({ count: 0 });
    expect(await statusOf(invoiceId)).toBe('PENDING');
    now = new Date(END.getTime() + 1);
    await expect(run(id)).resolves.toEqual({ count: 1 });
    expect(await statusOf(invoiceId)).toBe('EXPIRED');
    expect(shop.received).toHaveLength(1);
  },
);

test.each(['deliver-callbacks', 'sweep-deliver-due-callbacks'])(
  '%s delivers all that is due in one run, whatever its event names',
  async (id) => {
    await insertDue(database.pool, { merchantId, url: shop.url, at: CREATED, count: 25 });
    const later = new Date(CREATED.getTime() + 60_000);
    await insertDue(database.pool, { merchantId, url: shop.url, at: later });
    await expect(run(id)).resolves.toEqual({ count: 25 });
    expect(shop.received).toHaveLength(25);
  },
);

test('there is a sweep for each job, and Inngest retries nothing', () => {
  expect(functions.filter((each) => each.id().startsWith('sweep-'))).toHaveLength(JOBS.length);
  for (const each of functions) expect(each.opts.retries).toBe(0);
});

test('a run fails when the database does, so that Inngest shows it', async () => {
  await database.pool.query('ALTER TABLE invoices RENAME TO gone');
  await expect(run('expire-invoices')).rejects.toBeDefined();
});
