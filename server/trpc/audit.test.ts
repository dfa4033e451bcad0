import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createStaffedShop, STAFF_ADDRESS, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
  for (const days of [1, 2, 3]) {
    const { developers } = shop.calls({ now: daysLater(days) });
    await developers.createToken({ name: `Day ${days}`, expiresInDays: null });
  }
  await shop.calls().developers.rotateSecret({ overlapHours: 1 });
  const elsewhere = shop.calls({ environment: 'production', now: daysLater(2) }).developers;
  await elsewhere.createToken({ name: 'Elsewhere', expiresInDays: null });
});
afterAll(() => database.drop());

type Asked = Parameters<ReturnType<StaffedShop['calls']>['audit']['list']>[0];

/** The tokens that the page's entries name, the newest first. */
async function tokensOf(asked: Asked) {
  const { entries, nextCursor } = await shop.calls().audit.list(asked);
  return { names: entries.map(({ details }) => details.name), nextCursor };
}

it('tells who did what, when and from where', async () => {
  const { entries } = await shop.calls().audit.list({ limit: 1 });
  expect(entries).toMatchObject([
    {
      atMs: daysLater(3).getTime(),
      actor: shop.owner.email,
      isOperator: false,
      address: STAFF_ADDRESS,
      action: 'token.create',
    },
  ]);
});

it('is narrowed to an action, a person and days: from the first instant, and before the last', async () => {
  const action = 'token.create';
  const all = ['Day 3', 'Day 2', 'Day 1'];
  expect((await tokensOf({ action })).names).toEqual(all);
  expect((await tokensOf({ action, person: shop.owner.userId })).names).toEqual(all);
  expect((await tokensOf({ action, person: 'usr_x' })).names).toEqual([]);
  const [fromMs, untilMs] = [daysLater(1).getTime(), daysLater(3).getTime()];
  expect((await tokensOf({ action, fromMs, untilMs })).names).toEqual(['Day 2', 'Day 1']);
  const { people, actions } = await shop.calls().audit.choices();
  expect(people).toContainEqual({ id: shop.owner.userId, name: shop.owner.email });
  expect(actions).toEqual(expect.arrayContaining([action, 'signing_secret.rotate']));
});

it('goes on where a page ended', async () => {
  const asked = { action: 'token.create', limit: 2 };
  const first = await tokensOf(asked);
  expect(first.names).toEqual(['Day 3', 'Day 2']);
  const next = await tokensOf({ ...asked, cursor: first.nextCursor });
  expect(next).toEqual({ names: ['Day 1'], nextCursor: null });
});
