import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CURRENCIES, type Currency } from '../../lib/money.ts';
import { openAccount } from '../../merchants/acquirer-accounts.ts';
import { connectMulticard } from '../../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { withOwnDataDir } from '../../testing/settings.ts';
import { changeAccount, orderAccounts } from './accounts.ts';
import { methodsOf, takes } from './methods.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const BY = { actor: { type: 'operator', id: null, label: 'test' }, now: NOW } as const;

let database: TestDatabase;
withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase(4);
});
afterAll(() => database.drop());

test('an acquirer takes an amount of its currencies within its limits, both included', () => {
  const amounts = fc.bigInt({ min: 0n, max: 50n });
  const currency = fc.constantFrom(...CURRENCIES);
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.option(amounts),
      currency,
      (amountMinor, least, most, paid) => {
        const traits = {
          title: 'X',
          currencies: ['USD', 'EUR'] as Currency[],
          leastMinor: least,
          ...(most === null ? {} : { mostMinor: most }),
          refunds: 'none' as const,
          pageLifeMs: 60_000,
        };
        const isTaken = takes(traits, { amountMinor, currency: paid });
        const isWithin = amountMinor >= least && (most === null || amountMinor <= most);
        expect(isTaken).toBe(isWithin && (paid === 'USD' || paid === 'EUR'));
      },
    ),
  );
});

test('methods come in the merchant’s order, those that are down last, and none that is off', async () => {
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const owner = { merchantId, environment: 'sandbox' } as const;
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three', 'off']) {
    const account = { merchantId, secret: 'sec', name };
    ids.push((await connectMulticard(database.pool, account, NOW)).id);
  }
  const [one = '', two = '', three = '', off = ''] = ids;
  await changeAccount(database.pool, off, 'disable', BY);
  await orderAccounts(database.pool, owner, [three, off, one, two], BY);
  const offered = async (currency: Currency = 'UZS') => {
    const methods = await methodsOf(database.pool, { ...owner, amountMinor: 1n, currency });
    return methods.map((each) =>
      each.kind === 'card' ? 'card' : `${each.name}${each.isDown ? ', down' : ''}`,
    );
  };
  expect(await offered()).toEqual(['three', 'one', 'two', 'card']);
  const account = await openAccount(database.pool, three);
  for (let failures = 0; failures < 5; failures++) await account?.noteCall('create: 503');
  expect(await offered()).toEqual(['one', 'two', 'three, down', 'card']);
  expect(await offered('USD')).toEqual(['card']);
  await (await openAccount(database.pool, three))?.noteCall(null);
  expect(await offered()).toEqual(['three', 'one', 'two', 'card']);
});
