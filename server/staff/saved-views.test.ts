import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';
import { setMember } from './members.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newShop = () => createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
const namesOf = async (
  { views }: ReturnType<StaffedShop['calls']>,
  list: 'invoices' | 'callbacks' = 'invoices',
) => (await views.list({ list })).map(({ name }) => name);
const refusedFor = (code: string) => ({ cause: { code } });

it('a view is kept by its list and environment, renamed and deleted', async () => {
  const shop = await newShop();
  const sandbox = shop.calls();
  const query = 'status=PAID&columns=status%2Cends';
  await sandbox.views.save({ list: 'invoices', viewName: ' Paid ', query });
  await sandbox.views.save({ list: 'callbacks', viewName: 'Paid', query: '' });
  const [view] = await sandbox.views.list({ list: 'invoices' });
  expect(view).toMatchObject({ name: 'Paid', query });
  expect(await namesOf(shop.calls({ environment: 'production' }))).toEqual([]);
  const viewId = view?.id ?? '';
  await sandbox.views.rename({ viewId, viewName: 'Money in' });
  await sandbox.views.rename({ viewId, viewName: 'Money in' });
  expect(await namesOf(sandbox)).toEqual(['Money in']);
  await shop.calls({ environment: 'production' }).views.delete({ viewId });
  expect(await namesOf(sandbox)).toEqual(['Money in']);
  await sandbox.views.delete({ viewId });
  expect(await namesOf(sandbox)).toEqual([]);
  expect(await namesOf(sandbox, 'callbacks')).toEqual(['Paid']);
  await expect(sandbox.views.rename({ viewId, viewName: 'x' })).rejects.toMatchObject(
    refusedFor('view_not_found'),
  );
});

it('two views of a list do not share a name', async () => {
  const { views } = (await newShop()).calls();
  const save = (viewName: string) => views.save({ list: 'invoices', viewName, query: '' });
  await save('Mine');
  const taken = refusedFor('view_name_taken');
  await expect(save('Mine')).rejects.toMatchObject(taken);
  const { id: viewId } = await save('Other');
  await expect(views.rename({ viewId, viewName: 'Mine' })).rejects.toMatchObject(taken);
});

it('a list has twenty views, even if two more come at once', async () => {
  const calls = (await newShop()).calls();
  const save = (at: number) =>
    calls.views.save({ list: 'invoices', viewName: `View ${at}`, query: '' });
  for (let at = 0; at < 19; at++) await save(at);
  const last = await Promise.allSettled([save(20), save(21)]);
  const refused = last.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: refusedFor('too_many_views') }]);
  expect(await namesOf(calls)).toHaveLength(20);
});

it('a colleague sees nothing of a view, and it ends with the membership', async () => {
  const { pool } = database;
  const shop = await newShop();
  const { userId } = (await newShop()).owner;
  const { merchantId } = shop;
  await setMember(pool, { merchantId, userId, role: 'viewer', now: NOW });
  const session = await newSession(pool, userId, NOW);
  const merchant = session.merchant && { ...session.merchant, id: merchantId };
  const colleague = callerOf(pool, { ...session, merchant }, { now: NOW });
  const { id: viewId } = await shop
    .calls()
    .views.save({ list: 'invoices', viewName: 'Mine', query: '' });
  expect(await namesOf(colleague)).toEqual([]);
  await colleague.views.delete({ viewId });
  await expect(colleague.views.rename({ viewId, viewName: 'x' })).rejects.toMatchObject(
    refusedFor('view_not_found'),
  );
  await colleague.views.save({ list: 'invoices', viewName: 'Mine', query: '' });
  expect(await namesOf(shop.calls())).toEqual(['Mine']);
  await pool.query('DELETE FROM memberships WHERE merchant_id = $1 AND user_id = $2', [
    merchantId,
    userId,
  ]);
  const left = colleague.views.save({ list: 'invoices', viewName: 'Again', query: '' });
  await expect(left).rejects.toMatchObject(refusedFor('permission_missing'));
  const { rows } = await pool.query('SELECT user_id FROM saved_views WHERE merchant_id = $1', [
    merchantId,
  ]);
  expect(rows).toEqual([{ user_id: shop.owner.userId }]);
});
