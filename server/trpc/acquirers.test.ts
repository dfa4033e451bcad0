import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../merchants/acquirer-accounts.ts';
import { ROLES } from '../merchants/types.ts';
import { keepDifferences } from '../payments/books/differences.ts';
import { setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SECRET = 'key-that-nobody-sees-again';
const PAYME = { merchant_id: '587f72c72cac0d162c722ae2', key: SECRET };
const CLICK = { merchant_id: '1', service_id: '2', merchant_user_id: '3', secret_key: SECRET };

let database: TestDatabase;
let shop: StaffedShop;
let serial = 0;
withOwnDataDir();
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  shop = await createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
});
afterAll(() => database.drop());

const connect = (name = '', { acquirers } = shop.calls()) =>
  acquirers.connect({ provider: 'payme', name, credentials: PAYME });

it('what is connected is listed with its hook, offered at once, and shows no credentials', async () => {
  const { acquirers, audit } = shop.calls();
  const { id } = await connect();
  await acquirers.connect({ provider: 'click', name: 'Click of the shop', credentials: CLICK });
  const list = (await acquirers.list()).accounts;
  expect(list).toMatchObject([
    { id, title: 'Payme', name: 'Payme', isEnabled: true, calledAtMs: null, checkedAtMs: null },
    { title: 'Click', name: 'Click of the shop' },
  ]);
  expect(list[0]?.hookUrl).toMatch(new RegExp(`^http.*/api/acquirers/payme/${id}$`));
  expect(JSON.stringify([list, (await audit.list({})).entries])).not.toContain(SECRET);
  expect(await openAccount(database.pool, id)).toMatchObject({
    credentials: { ...PAYME, account_field: 'invoice_id' },
  });
});

it('an acquirer says which values it wants, and which of them are secret', async () => {
  const [payme] = (await shop.calls().acquirers.list()).providers;
  expect(payme).toMatchObject({ name: 'payme', title: 'Payme', currencies: ['UZS'] });
  expect(payme?.credentials.map(({ name, isSecret }) => [name, isSecret])).toEqual([
    ['merchant_id', false],
    ['key', true],
    ['account_field', false],
  ]);
});

it.each([
  ['one that is missing', { key: SECRET }, 'credential_missing', 'merchant_id'],
  ['one that cannot be', { ...PAYME, merchant_id: 'a b' }, 'credential_invalid', 'merchant_id'],
])('%s of the values is named, and nothing is connected', async (_, credentials, code, name) => {
  const { acquirers } = shop.calls();
  await expect(
    acquirers.connect({ provider: 'payme', name: '', credentials }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { code, values: { name } } });
  expect((await acquirers.list()).accounts).toEqual([]);
});

it('an account is switched off, on and disconnected, each with an entry in the audit log', async () => {
  const { acquirers, audit } = shop.calls();
  const { id: accountId } = await connect('Payme');
  const isEnabled = async () => (await acquirers.list()).accounts.map((each) => each.isEnabled);
  await acquirers.disable({ accountId });
  expect(await isEnabled()).toEqual([false]);
  await acquirers.enable({ accountId });
  expect(await isEnabled()).toEqual([true]);
  await acquirers.disconnect({ accountId });
  expect(await isEnabled()).toEqual([]);
  await expect(acquirers.enable({ accountId })).rejects.toMatchObject({ code: 'CONFLICT' });
  const { entries } = await audit.list({});
  expect(entries.map(({ action }) => action).filter((each) => each.startsWith('acq'))).toEqual([
    'acquirer.disconnect',
    'acquirer.enable',
    'acquirer.disable',
    'acquirer.connect',
  ]);
});

it('accounts stand in the order that was asked for; an order of other accounts is outdated', async () => {
  const { acquirers } = shop.calls();
  const first = await connect('First');
  const second = await connect('Second');
  await acquirers.order({ accountIds: [second.id, first.id] });
  const names = async () => (await acquirers.list()).accounts.map(({ name }) => name);
  expect(await names()).toEqual(['Second', 'First']);
  const strangers = await createStaffedShop(database.pool, NOW, `stranger-${serial}@example.com`);
  const theirs = await connect('Theirs', strangers.calls());
  for (const accountIds of [[first.id], [first.id, first.id], [first.id, theirs.id]]) {
    await expect(acquirers.order({ accountIds })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { code: 'acquirer_order_outdated' },
    });
  }
  expect(await names()).toEqual(['Second', 'First']);
});

describe('another merchant’s account, or another environment’s', () => {
  it.each(['enable', 'disable', 'disconnect', 'check'] as const)(
    'is not found: %s',
    async (does) => {
      const { id: accountId } = await connect('Ours');
      const strangers = await createStaffedShop(database.pool, NOW, `other-${serial}@example.com`);
      for (const calls of [strangers.calls(), shop.calls({ environment: 'production' })]) {
        await expect(calls.acquirers[does]({ accountId })).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
        expect((await calls.acquirers.list()).accounts).toEqual([]);
      }
      expect((await shop.calls().acquirers.list()).accounts).toMatchObject([
        { isEnabled: true, checkedAtMs: null },
      ]);
    },
  );
});

it.each(ROLES)(
  'a %s may look, unless a cashier; only owners and admins change anything',
  async (role) => {
    const { pool } = database;
    const { id: accountId } = await connect();
    const { userId } = shop.owner;
    await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
    const { acquirers } = callerOf(pool, await newSession(pool, userId, NOW), { now: NOW });
    const seen = acquirers.list().then(({ accounts }) => accounts.map(({ id }) => id));
    if (role === 'cashier') await expect(seen).rejects.toMatchObject({ code: 'FORBIDDEN' });
    else expect(await seen).toEqual([accountId]);
    const changes = [
      () => acquirers.check({ accountId }),
      () => acquirers.disable({ accountId }),
      () => acquirers.enable({ accountId }),
      () => acquirers.order({ accountIds: [accountId] }),
      () => acquirers.connect({ provider: 'payme', name: '', credentials: PAYME }),
      () => acquirers.disconnect({ accountId }),
    ];
    for (const change of changes) {
      if (role === 'owner' || role === 'admin') await change();
      else await expect(change()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  },
);

it('an acquirer that only calls is judged by its last call', async () => {
  const { acquirers } = shop.calls();
  const { id: accountId } = await connect();
  expect(await acquirers.check({ accountId })).toMatchObject({
    checkedAtMs: NOW.getTime(),
    checkFault: null,
    calledAtMs: null,
  });
});

it('production takes payments while an account there is switched on', async () => {
  const calls = shop.calls({ environment: 'production' });
  const takesPayments = async () => (await calls.account.current()).takesPayments;
  expect(await takesPayments()).toBe(false);
  const { id: accountId } = await connect('', calls);
  expect(await takesPayments()).toBe(true);
  await calls.acquirers.disable({ accountId });
  expect(await takesPayments()).toBe(false);
});

it('differences of books are shown to all staff, settled by who gives money back, and by no other merchant', async () => {
  const { id: accountId } = await connect();
  const { pool } = database;
  const at = NOW.getTime() - 3_600_000;
  const side = { amountMinor: 150_000n, currency: 'UZS', state: 'captured' } as const;
  const difference = { kind: 'payment', what: 'missing_there', ourId: 'pay_1' } as const;
  const none = { acquirerId: null, invoiceId: null, theirs: null };
  await keepDifferences(pool, accountId, [{ ...difference, ...none, ours: side, atMs: at }], NOW);
  const { acquirers } = shop.calls();
  const [shown] = (await acquirers.differences()).differences;
  expect(shown).toMatchObject({ ...difference, ours: side, accountName: 'Payme', atMs: at });
  const settled = { differenceId: shown?.id ?? '', note: ' The bank found it. ' };
  await expect(acquirers.settleDifference({ ...settled, note: ' ' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const others = await createStaffedShop(pool, NOW, `other-${serial}@example.com`);
  await expect(others.calls().acquirers.settleDifference(settled)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await acquirers.settleDifference(settled);
  expect((await acquirers.differences()).differences).toEqual([]);
  const [entry] = (await shop.calls().audit.list({})).entries;
  expect(entry).toMatchObject({
    action: 'acquirer.settle_difference',
    details: { note: 'The bank found it.' },
  });
});
