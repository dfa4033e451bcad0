import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { readEventAddress, removeEventAddress, setEventAddress } from './address.ts';
import { PRESET_EVENT_TYPES, type WrittenEventType } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let tenant: Tenant;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  merchant = await createMerchantFixture(database.pool);
  tenant = merchant.sandbox.tenant;
});

const set = (url: string, types: readonly WrittenEventType[]) =>
  setEventAddress(database.pool, tenant, { url, types, network: 'public', actor: ACTOR, now: NOW });

it('an environment has one address, and the audit log tells its host alone', async () => {
  const first = 'https://one.example:8443/events?key=secret';
  await set(first, ['refund.failed', 'invoice.paid', 'refund.failed']);
  expect(await readEventAddress(database.pool, tenant)).toEqual({
    url: first,
    types: ['invoice.paid', 'refund.failed'],
    setAtMs: NOW.getTime(),
  });
  expect(await readEventAddress(database.pool, merchant.production.tenant)).toBeNull();
  await set('https://two.example/', PRESET_EVENT_TYPES);
  const remove = () => removeEventAddress(database.pool, tenant, { actor: ACTOR, now: NOW });
  expect(await remove()).toBe(true);
  expect(await remove()).toBe(false);
  expect(await readEventAddress(database.pool, tenant)).toBeNull();
  const { rows } = await database.pool.query(
    `SELECT action, environment, details FROM audit_log
     WHERE merchant_id = $1 AND action LIKE 'events.%' ORDER BY id`,
    [merchant.id],
  );
  const types = ['invoice.paid, refund.failed', PRESET_EVENT_TYPES.join(', ')];
  const action = 'events.set_address';
  const environment = 'sandbox';
  expect(rows).toEqual([
    { action, environment, details: { host: 'one.example:8443', types: types[0] } },
    { action, environment, details: { host: 'two.example', types: types[1] } },
    { action: 'events.remove_address', environment, details: { host: 'two.example' } },
  ]);
});

it.each([
  ['http://10.0.0.7/events', 'public', 'callback_address_refused'],
  ['http://127.0.0.1:4000/events', 'public', 'callback_address_refused'],
  ['http://192.168.1.2/events', 'local', 'callback_address_refused'],
  ['https://shop.example:25/events', 'public', 'callback_port_refused'],
  ['ftp://shop.example/events', 'public', 'callback_url_invalid'],
] as const)('%s is refused at once where the network is %s', async (url, network, code) => {
  const wish = { url, types: PRESET_EVENT_TYPES, network, actor: ACTOR, now: NOW };
  await expect(setEventAddress(database.pool, tenant, wish)).rejects.toMatchObject({ code });
  expect(await readEventAddress(database.pool, tenant)).toBeNull();
});
