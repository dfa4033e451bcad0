import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { fillMerchant } from '../testing/filled-merchant.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;

let database: TestDatabase;
let shop: StaffedShop;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shop = await createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
});

const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const causes = () => shop.calls().overview.causes();
const waiting = async () =>
  (await causes()).flatMap(({ cause, count, acknowledged }) =>
    acknowledged === null ? [`${cause}: ${count}`] : [],
  );

/** Callbacks given up that were created then. */
async function giveUp(count: number, minutes: number): Promise<string[]> {
  const { merchantId } = shop;
  const ids = await insertDue(database.pool, {
    ...{ merchantId, url: 'http://shop.example/', at: at(minutes), count },
  });
  await database.pool.query(
    `UPDATE callbacks SET state = 'exhausted', created_at = $2 WHERE invoice_id = ANY ($1)`,
    [ids, at(minutes).toISOString()],
  );
  return ids;
}

async function see(minutes = 0): Promise<void> {
  for (const { cause, count, newestAtMs } of await causes()) {
    await shop.calls({ now: at(minutes) }).overview.acknowledge({ cause, count, newestAtMs });
  }
}

it('nothing waits at a merchant where all is well', async () => {
  expect(await causes()).toEqual([]);
});

it('what was seen is out of the way with who and when, and waits again once it has grown', async () => {
  await giveUp(2, 0);
  expect(await waiting()).toEqual(['callbacks_exhausted: 2']);
  await see(5);
  const acknowledged = { by: shop.owner.email, atMs: at(5).getTime() };
  expect(await causes()).toMatchObject([{ kind: 'callbacks_exhausted', acknowledged }]);
  await giveUp(1, -60);
  expect(await waiting()).toEqual(['callbacks_exhausted: 3']);
});

it('what is new waits though there is no more of it than was seen', async () => {
  const old = await giveUp(3, 0);
  await see();
  await database.pool.query(
    `UPDATE callbacks SET state = 'delivered', delivered_at = now() WHERE invoice_id = ANY ($1)`,
    [old],
  );
  expect(await causes()).toEqual([]);
  await giveUp(1, 10);
  expect(await waiting()).toEqual(['callbacks_exhausted: 1']);
});

it('what came after the page was shown is not seen with it', async () => {
  await giveUp(1, 0);
  const [shown] = await causes();
  if (!shown) throw new Error('nothing waits');
  await giveUp(1, 1);
  const { cause, count, newestAtMs } = shown;
  await shop.calls().overview.acknowledge({ cause, count, newestAtMs });
  expect(await waiting()).toEqual(['callbacks_exhausted: 2']);
});

it('a seen cause waits again when somebody takes it back', async () => {
  await giveUp(1, 0);
  await see();
  expect(await waiting()).toEqual([]);
  await shop.calls().overview.unacknowledge({ cause: 'callbacks_exhausted' });
  expect(await waiting()).toEqual(['callbacks_exhausted: 1']);
});

it('disputes, differences, an account that is down and refunds are told with what they are about', async () => {
  const { pool } = database;
  const { known } = await fillMerchant(pool, shop, NOW);
  const [accountId] = known.accountId ?? [];
  const { rows } = await pool.query<{ id: string; amount: string }>(
    `SELECT id, amount_minor::text AS amount FROM invoices WHERE status = 'PAID' AND merchant_id = $1`,
    [shop.merchantId],
  );
  const [paid] = rows;
  const refund = (id: string, status: string, minutes: number) =>
    pool.query(
      `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
         amount_minor, currency, status, created_at, updated_at, recover_at)
       SELECT $1, i.merchant_id, i.environment, i.id, i.capture_attempt_id, $3, 10, i.currency,
         $4::refund_status, $5, $5, CASE WHEN $4 = 'PENDING' THEN $6::timestamptz END
       FROM invoices i WHERE i.id = $2`,
      [id, paid?.id, accountId, status, at(minutes), at(60)],
    );
  await refund('ref_failed', 'FAILED', -10);
  await pool.query('UPDATE acquirer_accounts SET down_since = $2 WHERE id = $1', [accountId, NOW]);
  expect(await waiting()).toEqual([
    `account_down ${accountId}: 1`,
    'callbacks_exhausted: 1',
    'disputes: 1',
    'refunds_failed: 1',
    'books_differ: 1',
  ]);
  expect((await causes())[2]?.examples).toMatchObject([
    { invoiceId: paid?.id, amountMinor: BigInt(paid?.amount ?? 0) },
  ]);
  // Another refund has taken the failed one's place, and waits for an acquirer that is down.
  await refund('ref_again', 'PENDING', -5);
  expect(await waiting()).toContain('refunds_overdue: 1');
  expect(await waiting()).not.toContain('refunds_failed: 1');
});

it('an owner without a second factor is told of in production alone', async () => {
  const production = await shop.calls({ environment: 'production' }).overview.causes();
  expect(production).toMatchObject([{ kind: 'second_factor', count: 1 }]);
});

it('a viewer sees what waits, and does not say for others that it was seen', async () => {
  await giveUp(1, 0);
  await database.pool.query(`UPDATE memberships SET role = 'viewer' WHERE merchant_id = $1`, [
    shop.merchantId,
  ]);
  const session = await newSession(database.pool, shop.owner.userId, NOW);
  const { overview } = callerOf(database.pool, session, { now: NOW });
  expect(await overview.causes()).toHaveLength(1);
  await expect(
    overview.acknowledge({ cause: 'callbacks_exhausted', count: 1, newestAtMs: null }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
