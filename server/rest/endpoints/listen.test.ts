import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../../invoices/merchant-invoices.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createLogger } from '../../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { Answer, RestContext } from '../types.ts';
import { listenEndpointOf } from './listen.ts';

/** Longer than any test: something must end each poll. */
const endpoint = listenEndpointOf(3_600_000);

let database: TestDatabase;
let context: RestContext;
/** How often polls have looked, by merchant. */
const looks = new Map<string, number>();
const looksOf = ({ merchantId }: Tenant): number => looks.get(merchantId) ?? 0;

beforeAll(async () => {
  database = await createTestDatabase();
  context = {
    db: database.pool,
    invoices: oneByOneInvoices(database.pool),
    publicUrl: '',
    clock: () => new Date(),
    log: createLogger('silent', { write: () => undefined }),
  };
});
afterAll(() => database.drop());

async function someTenant(): Promise<Tenant> {
  const { id } = await createMerchantFixture(database.pool);
  return { merchantId: id, environment: 'sandbox' } as Tenant;
}

function say(tenant: Tenant, step: 'start' | 'go_on' | 'stop', listenerId = 'first') {
  const body = Buffer.from(JSON.stringify({ listener_id: listenerId, step }));
  const clock = () => {
    looks.set(tenant.merchantId, looksOf(tenant) + 1);
    return new Date();
  };
  const header = (name: string) => (name === 'content-type' ? 'application/json' : null);
  return Promise.resolve(
    endpoint.handle(
      { ...context, clock },
      {
        tenant,
        tokenId: 'tok_1',
        requestId: 'req_1',
        query: new URLSearchParams(),
        header,
        body,
        now: new Date(),
      },
    ) as Promise<Answer>,
  );
}

/** Waits until this merchant's polls have looked that many times from now on. */
async function untilLooked(tenant: Tenant, times = 1): Promise<void> {
  const before = looksOf(tenant);
  await expect
    .poll(() => looksOf(tenant), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(before + times);
}

test.each([
  ['go_on', 'first'],
  ['stop', 'first'],
  ['start', 'second'],
] as const)('a poll ends at once, empty, with the %s of the listener %s', async (step, by) => {
  const tenant = await someTenant();
  const poll = say(tenant, 'go_on');
  await untilLooked(tenant);
  const said = say(tenant, step, by);
  const { status, body } = await poll;
  expect(status).toBe(200);
  expect(JSON.parse(body.toString())).toMatchObject({ data: { callbacks: [] } });
  // A poll waits itself, so it is ended here.
  if (step === 'go_on') await say(tenant, 'stop', by);
  expect((await said).status).toBe(200);
});

test('a poll of a listener that was replaced does not end the one that took over', async () => {
  const tenant = await someTenant();
  await say(tenant, 'start', 'second');
  let hasEnded = false;
  const poll = say(tenant, 'go_on', 'second').finally(() => {
    hasEnded = true;
  });
  await untilLooked(tenant);
  expect((await say(tenant, 'go_on', 'first')).status).toBe(409);
  await untilLooked(tenant);
  expect(hasEnded).toBe(false);
  await say(tenant, 'stop', 'second');
  await poll;
});
