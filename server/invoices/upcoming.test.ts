import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cancelInvoice } from './cancel.ts';
import { expiriesWaitingSince, upcomingExpiries } from './upcoming.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const END = new Date('2026-11-21T13:00:00.000Z');
const at = (afterMs: number) => new Date(END.getTime() + afterMs);
let database: TestDatabase;
let tenant: Tenant;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ tenant } = (await createMerchantFixture(database.pool)).sandbox);
});
afterEach(() => database.drop());

const create = () => createTestInvoice(database.pool, tenant, { now: NOW });
const waitingSince = (now: Date) => expiriesWaitingSince(database.pool, { now });
const slots = () =>
  upcomingExpiries(database.pool, { from: at(-500), until: at(500), slotMs: 250 });

test('an invoice waits for its expiry from its end date on', async () => {
  await create();
  expect(await waitingSince(END)).toBeNull();
  expect(await waitingSince(at(1))).toEqual(END);
});

test('one that has ended otherwise waits for none, and none is announced', async () => {
  const id = await create();
  expect(await slots()).toEqual([at(250)]);
  await cancelInvoice(database.pool, tenant, id, { actor: { type: 'api' }, now: NOW });
  expect(await slots()).toEqual([]);
  expect(await waitingSince(at(1))).toBeNull();
});

test('one that is being paid waits for none: nobody could expire it', async () => {
  const id = await create();
  const claim = "UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = $1";
  await database.pool.query(claim, [id]);
  expect(await waitingSince(at(1))).toBeNull();
});
