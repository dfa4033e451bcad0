import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findAccount, openAccount } from '../../merchants/acquirer-accounts.ts';
import { type Fault, MulticardStandIn } from '../../testing/acquirers/multicard.ts';
import { connectMulticard } from '../../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { forgetSettings, withOwnDataDir } from '../../testing/settings.ts';
import { askDownAccounts, checkAccount } from './accounts.ts';

const SECRET = 'sec';
const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let bank: MulticardStandIn;
let accountId: string;

withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(4);
  bank = new MulticardStandIn(SECRET);
  vi.stubEnv('MULTICARD_API_URL', await bank.listen());
  forgetSettings();
});
afterAll(async () => {
  await bank.close();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM acquirer_accounts');
  const { id: merchantId } = await createMerchantFixture(database.pool);
  ({ id: accountId } = await connectMulticard(database.pool, { merchantId, secret: SECRET }, NOW));
});

const health = async () => {
  const account = await findAccount(database.pool, accountId);
  return { count: account?.failureCount, failure: account?.failure, since: account?.downSinceMs };
};

async function call(...faults: (Fault | null)[]): Promise<void> {
  for (const fault of faults) {
    if (fault) bank.faults.set('POST /auth', [fault]);
    await checkAccount(database.pool, accountId, NOW);
  }
}

const aMinuteLater = () =>
  database.pool.query(
    "UPDATE acquirer_accounts SET failed_at = failed_at - interval '61 seconds' WHERE id = $1",
    [accountId],
  );

test('five failures in a row make an account down, and one answer ends that', async () => {
  await call('500', 'cut before', 'cut after', '500');
  expect(await health()).toEqual({ count: 4, failure: 'auth: 500', since: null });
  await call('cut before');
  expect(await health()).toEqual({
    count: 5,
    failure: 'auth: UND_ERR_SOCKET',
    since: expect.any(Number),
  });
  await call(null);
  expect(await health()).toEqual({ count: 0, failure: null, since: null });
});

test('failures with an answer between them are not in a row', async () => {
  await call('500', '500', '500', '500', null, '500', '500', '500', '500');
  expect(await health()).toMatchObject({ count: 4, since: null });
});

test('an answer that refuses is no failure', async () => {
  bank.secret = 'another';
  await call('500', '500', '500', '500', null);
  expect(await health()).toMatchObject({ count: 0 });
  bank.secret = SECRET;
});

test('an account that is down is written once a minute, and since when stays', async () => {
  await call('500', '500', '500', '500', '500');
  const { since } = await health();
  await call('500', 'cut before');
  expect(await health()).toEqual({ count: 5, failure: 'auth: 500', since });
  await aMinuteLater();
  await call('cut before');
  expect(await health()).toEqual({ count: 6, failure: 'auth: UND_ERR_SOCKET', since });
});

test('an account that is down is asked after a minute, and an answer ends that', async () => {
  const ask = () => askDownAccounts(database.pool, { now: NOW, limit: 10 });
  await call('500', '500', '500', '500', '500');
  expect(await ask()).toBe(0);
  await aMinuteLater();
  bank.faults.set('POST /auth', ['500']);
  expect(await ask()).toBe(1);
  expect(await health()).toMatchObject({ count: 6, since: expect.any(Number) });
  expect(await ask()).toBe(0);
  await aMinuteLater();
  expect(await ask()).toBe(1);
  expect(await health()).toEqual({ count: 0, failure: null, since: null });
});

test('an answer for an account without failures costs no statement', async () => {
  const account = await openAccount(database.pool, accountId);
  const query = vi.spyOn(database.pool, 'query');
  await account?.noteCall(null);
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
});
