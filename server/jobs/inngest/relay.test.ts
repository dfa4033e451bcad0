import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDelivery } from '../../callbacks/queue/delivery.ts';
import { coalescedInvoices } from '../../invoices/merchant-invoices.ts';
import { createSigningSecret } from '../../merchants/signing-secrets.ts';
import { grantTenant } from '../../merchants/tenant.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createLogger } from '../../observability/log.ts';
import { RestHandler } from '../../rest/handler.ts';
import { insertDue, notificationOf, openShop, type Shop, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type FakeInngest, openFakeInngest } from '../../testing/inngest.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { type Credentials, createBody, createRestMerchant } from '../../testing/rest.ts';
import { startEmbeddedDriver } from '../embedded-driver.ts';
import { createEventSender } from './event-sender.ts';
import { Relay } from './relay.ts';

let database: TestDatabase;
let inngest: FakeInngest;
let shop: Shop;
let merchantId: string;
let tenant: Tenant;
let credentials: Credentials;
let handler: RestHandler;
const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const relays: Relay[] = [];

beforeAll(() => {
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
});

afterAll(() => {
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  database = await createTestDatabase();
  inngest = await openFakeInngest();
  shop = await openShop();
  vi.stubEnv('INNGEST_BASE_URL', inngest.baseUrl);
  vi.stubEnv('INNGEST_EVENT_KEY', 'test');
  const merchant = await createRestMerchant(database.pool);
  merchantId = merchant.id;
  tenant = grantTenant(merchantId, 'sandbox');
  credentials = merchant.sandbox;
  const context = {
    db: database.pool,
    invoices: coalescedInvoices(database.pool),
    publicUrl: 'http://localhost:1',
    clock: () => new Date(),
    log: createLogger('silent'),
  };
  handler = new RestHandler(context, LIMITS, database.url);
  await handler.ready;
  const owner = { merchantId, environment: 'sandbox' } as const;
  await createSigningSecret(database.pool, { ...owner, now: new Date() });
});

afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await closeDelivery();
  await handler.close();
  await inngest.close().catch(() => undefined);
  await shop.close();
  await database.drop();
});

type Started = { registered?: () => void; tickMs?: number; clock?: () => Date };

function startRelay({ registered, tickMs, clock = () => new Date() }: Started = {}) {
  const report = () => undefined;
  const relay = new Relay({
    db: database.pool,
    send: createEventSender({ timeoutMs: 500, baseUrl: inngest.baseUrl, eventKey: 'test' }),
    register: async () => registered?.(),
    startFallback: () =>
      startEmbeddedDriver({ pool: database.pool, databaseUrl: database.url, report }),
    clock,
    onError: report,
    tickMs,
  });
  relays.push(relay);
  return relay;
}

const due = (at: Date, count = 1) =>
  insertDue(database.pool, { merchantId, url: shop.url, at, count });

async function countCallbacks(where: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM callbacks WHERE ${where}`,
  );
  return rows[0]?.count ?? 0;
}

const eventsOf = (name: string) => inngest.events.filter((event) => event.name === name);
const callbackEvents = () => eventsOf('gateway/callbacks.due');

test('a committed callback becomes an event with its id and due time, and is marked', async () => {
  const at = new Date();
  const [id = ''] = await due(at);
  startRelay();
  await until(async () => (await countCallbacks('relayed_at IS NOT NULL')) === 1);
  expect(callbackEvents().map((event) => event.id)).toEqual([
    `${notificationOf(id)}:${at.getTime()}`,
  ]);
});

test('a relay whose clock is ahead announces nothing until it is right again', async () => {
  await due(new Date());
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  // The relay's first look has ended.
  await startRelay().stop();
  expect(inngest.requests).toBe(0);
  clock.mockRestore();
  startRelay();
  await until(() => callbackEvents().length === 1);
  vi.restoreAllMocks();
});

test('a callback is announced when it is committed and not before', async () => {
  const now = Date.now();
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const [hidden = ''] = await insertDue(client, { merchantId, url: shop.url, at: new Date(now) });
    const [seen = ''] = await due(new Date(now + 60_000));
    const relay = startRelay();
    // It has looked once it has found the committed row.
    await until(async () => (await countCallbacks('relayed_at IS NOT NULL')) === 1);
    expect(callbackEvents().map(({ id }) => id.split(':')[0])).toEqual([notificationOf(seen)]);
    await client.query('COMMIT');
    relay.wake();
    await until(() => callbackEvents().some(({ id }) => id === `${notificationOf(hidden)}:${now}`));
  } finally {
    client.release(true);
  }
});

test('a wake-up is enough: no tick is waited for', async () => {
  await due(new Date());
  const relay = startRelay({ tickMs: 60_000 });
  await until(() => callbackEvents().length === 1);
  const [id = ''] = await due(new Date());
  relay.wake();
  await until(
    () =>
      callbackEvents()
        .at(-1)
        ?.id.startsWith(`${notificationOf(id)}:`) === true,
  );
});

test('a failed attempt is announced again, for its next time', async () => {
  const [id = ''] = await due(new Date());
  startRelay();
  await until(async () => (await countCallbacks('relayed_at IS NOT NULL')) === 1);
  const next = new Date(Date.now() + 5_000);
  await database.pool.query('UPDATE callbacks SET next_attempt_at = $1, relayed_at = NULL', [next]);
  await until(() =>
    callbackEvents().some((event) => event.id === `${notificationOf(id)}:${next.getTime()}`),
  );
  const { ts = 0 } = callbackEvents().at(-1) ?? {};
  expect(ts).toBeGreaterThanOrEqual(next.getTime());
  expect(ts).toBeLessThanOrEqual(next.getTime() + 250);
});

test('a thousand rows that are due together cost a few events', async () => {
  await due(new Date(), 1_000);
  startRelay();
  await until(async () => (await countCallbacks('relayed_at IS NOT NULL')) === 1_000);
  expect(callbackEvents().length).toBeLessThan(10);
});

test('more rows than a look takes are announced at once, by the next look', async () => {
  await due(new Date(), 2_001);
  startRelay({ tickMs: 60_000 });
  await until(async () => (await countCallbacks('relayed_at IS NOT NULL')) === 2_001);
});

test('the end of an invoice is announced ahead of it, and at once when it is near', async () => {
  startRelay();
  const endsMs = [Date.now() + 300, Date.now() + 30_000];
  for (const endDateMs of endsMs) {
    await createTestInvoice(database.pool, tenant, { now: new Date(), endDateMs });
  }
  await until(() => eventsOf('gateway/invoices.due').length >= 2);
  for (const endMs of endsMs) {
    const event = eventsOf('gateway/invoices.due').find(({ ts }) => ts > endMs);
    expect(event?.ts).toBeLessThanOrEqual(endMs + 250);
  }
});

test('of two workers, each row is announced by one', async () => {
  startRelay();
  startRelay();
  for (let round = 0; round < 5; round += 1) {
    await due(new Date(), 20);
    await until(async () => (await countCallbacks('relayed_at IS NULL')) === 0);
  }
  const ids = callbackEvents().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('work that is left lying is announced again, then done by the worker itself', async () => {
  const registered = vi.fn();
  await due(new Date(Date.now() - 11_000));
  await database.pool.query('UPDATE callbacks SET relayed_at = now()');
  const relay = startRelay({ registered });
  await until(() => shop.received.length === 1);
  expect(callbackEvents().length).toBeGreaterThanOrEqual(1);
  expect(relay.isFallingBack).toBe(true);
  expect(registered).toHaveBeenCalled();
});

test('work that is left lying is announced again after the clock was set back by an hour', async () => {
  const HOUR_MS = 3_600_000;
  await due(new Date(Date.now() - 2 * HOUR_MS));
  await database.pool.query('UPDATE callbacks SET relayed_at = now()');
  let backMs = 0;
  let announced = 0;
  const relay = new Relay({
    db: database.pool,
    register: async () => undefined,
    send: async (events) => {
      announced += events.filter(({ name }) => name === 'gateway/callbacks.due').length;
      backMs = HOUR_MS;
    },
    startFallback: () => ({ state: () => 'embedded', stop: async () => undefined }),
    clock: () => new Date(Date.now() - backMs),
    onError: () => undefined,
  });
  relays.push(relay);
  await until(() => announced >= 2);
});

describe('while Inngest does not work', () => {
  /** Asks the API for twelve invoices and for the end of most; every answer is a success. */
  async function createAndFinish(): Promise<void> {
    const post = async (path: string, body: { [field: string]: unknown }) => {
      const headers: { [name: string]: string } = {
        ...credentials,
        'content-type': 'application/json',
      };
      const answer = await handler.handle({
        method: 'POST',
        path: `/api/sandbox${path}`,
        query: new URLSearchParams(),
        header: (name) => headers[name] ?? null,
        readBody: async () => Buffer.from(JSON.stringify(body)),
        remoteAddress: '192.0.2.1',
      });
      expect(answer.status, String(answer.body)).toBe(200);
      return JSON.parse(String(answer.body)).data as { invoice_id: string };
    };
    for (let index = 0; index < 12; index += 1) {
      // A third of them expire.
      const end = [null, '/test/invoice/pay', '/invoice/cancel'][index % 3] ?? null;
      const end_date = Date.now() + (end === null ? 200 : 3_600_000);
      const body = createBody({ callback_url: shop.url, end_date });
      const { invoice_id } = await post('/invoice/create', body);
      if (end !== null) await post(end, { invoice_id });
    }
  }

  const breaks = {
    closed: () => inngest.close(),
    silent: async () => {
      inngest.mode = 'silent';
    },
    'answering 500': async () => {
      inngest.mode = 'error';
    },
  };

  // A request that waited for Inngest would fail, or never end.
  test.each(Object.entries(breaks))(
    '%s: nothing lost, and no request knows of it',
    async (_how, breakIt) => {
      const relay = startRelay();
      await createAndFinish();
      await breakIt();
      await createAndFinish();
      await until(() => relay.isFallingBack);
      await until(async () => (await countCallbacks("state = 'delivered'")) === 24, 15_000);
      const ids = shop.received.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(24);
    },
  );

  test('no request sends it anything, not even on the side', async () => {
    await createAndFinish();
    await createEventSender()([
      { name: 'gateway/payments.due', id: 'last', ts: 0, data: { dueAt: 0 } },
    ]);
    expect(inngest.requests).toBe(1);
  });

  test('what it did not take is announced when it is back', async () => {
    inngest.mode = 'error';
    const relay = startRelay();
    await due(new Date(Date.now() + 60_000), 3);
    await until(() => relay.isFallingBack);
    expect(await countCallbacks('relayed_at IS NULL')).toBe(3);
    inngest.mode = 'up';
    await until(async () => (await countCallbacks('relayed_at IS NULL')) === 0);
    expect(callbackEvents().length).toBeGreaterThanOrEqual(1);
  });
});
