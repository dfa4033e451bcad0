import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const COUNTED_TO = 1_000;

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

const daysUntil = (endMs: number) => [endMs - 2 * DAY_MS, endMs - DAY_MS, endMs];
const read = () =>
  shop.calls().overview.read({
    edgesMs: daysUntil(NOW.getTime()),
    beforeEdgesMs: daysUntil(NOW.getTime() - 2 * DAY_MS),
  });

it('says where it counts no further what was given up', async () => {
  const giveUp = async (count: number) => {
    const { merchantId } = shop;
    await insertDue(database.pool, { merchantId, url: 'http://x/', at: NOW, count });
    await database.pool.query(`UPDATE callbacks SET state = 'exhausted'`);
  };
  await giveUp(COUNTED_TO - 1);
  expect(await read()).toMatchObject({ exhausted: COUNTED_TO - 1, exhaustedIsMore: false });
  await giveUp(1);
  expect(await read()).toMatchObject({ exhausted: COUNTED_TO, exhaustedIsMore: true });
});

it('each day, and each before them, has its own invoices', async () => {
  for (const daysAgo of [4, 3, 3, 2, 1, 1, 1]) {
    const now = new Date(NOW.getTime() - daysAgo * DAY_MS);
    const endDateMs = now.getTime() + DAY_MS;
    await createTestInvoice(database.pool, shop.sandboxTenant, { now, endDateMs });
  }
  const { days, daysBefore } = await read();
  const made = (spans: typeof daysBefore) => spans.map(({ created }) => created);
  expect([made(daysBefore), made(days)]).toEqual([
    [1, 2],
    [1, 3],
  ]);
});

it('edges that go back are refused, and equal ones are not', async () => {
  const { overview } = shop.calls();
  const beforeEdgesMs = [0, 0, 0];
  expect((await overview.read({ edgesMs: [5, 5, 5], beforeEdgesMs })).days).toHaveLength(2);
  for (const edgesMs of [
    [0, 10, 5],
    [0, 10, 0, 10],
  ]) {
    const before = { edgesMs: beforeEdgesMs, beforeEdgesMs: edgesMs };
    for (const asked of [{ edgesMs, beforeEdgesMs }, before]) {
      await expect(overview.read(asked)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  }
});
