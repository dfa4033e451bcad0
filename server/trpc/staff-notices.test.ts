import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('an owner hears by e-mail of what stops sales in production, and chooses for each environment', async () => {
  const shop = await createStaffedShop(database.pool, NOW);
  const production = shop.calls({ environment: 'production' });
  const read = async (calls = production) => (await calls.notices.read()).choices;
  const told = (await read()).filter(({ channels }) => channels.length > 0);
  expect(told.map(({ kind }) => kind)).toEqual([
    'callbacks_failing',
    'callback_exhausted',
    'refund_failed',
    'account_down',
  ]);
  expect((await read(shop.calls())).flatMap(({ channels }) => channels)).toEqual([]);

  const payments = { scope: 'above', aboveMinor: 50_000_000, currency: 'UZS' } as const;
  await production.notices.save({
    choices: [
      { kind: 'payment', channels: ['telegram'], payments },
      { kind: 'account_down', channels: [], payments: null },
      { kind: 'sign_in', channels: ['email'], payments: null },
    ],
    locale: 'ru',
  });
  expect(await read()).toMatchObject([
    { kind: 'callbacks_failing', channels: ['email'] },
    { kind: 'callback_exhausted', channels: ['email'] },
    { kind: 'payment', channels: ['telegram'], payments: { ...payments, aboveMinor: 50_000_000n } },
    { kind: 'refund_failed', channels: ['email'] },
    { kind: 'account_down', channels: [] },
    { kind: 'books_differ', channels: [] },
    { kind: 'sign_in', channels: ['email'] },
  ]);
  // A sign-in is in no environment.
  const sandbox = (await read(shop.calls())).filter(({ channels }) => channels.length > 0);
  expect(sandbox.map(({ kind }) => kind)).toEqual(['sign_in']);
});

it('a gateway without a bot connects nobody', async () => {
  const shop = await createStaffedShop(database.pool, NOW, 'other@example.com');
  expect(await shop.calls().notices.read()).toMatchObject({ hasBot: false });
  await expect(shop.calls().notices.connectTelegram()).rejects.toThrow('no Telegram bot');
});
