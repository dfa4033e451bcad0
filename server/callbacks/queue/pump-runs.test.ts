import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ACCEPT,
  type Answer,
  insertDue,
  openShop,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { DeliveryContext } from './deliver.ts';
import { runPump, stopPumpRuns } from './pump-runs.ts';

let database: TestDatabase;
let context: DeliveryContext & { errors: unknown[] };
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  context = testContext(database.pool);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await context.sender.close();
  await database.drop();
  expect(context.errors).toEqual([]);
});

/** Due callbacks of a new merchant. */
async function due(count: number, answer: Answer = ACCEPT) {
  const shop = await openShop(answer);
  closers.push(() => shop.close());
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const at = new Date();
  await insertDue(database.pool, {
    merchantId,
    environment: 'production',
    url: shop.url,
    at,
    count,
  });
  return shop;
}

/** Holds back answers until told. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const answer: Answer = (...asked) => void opened.then(() => ACCEPT(...asked));
  return { answer, open };
}

test('goes on until nothing is due that it could take, and counts the attempts', async () => {
  const shop = await due(35);
  await expect(runPump(context)).resolves.toEqual({ count: 35 });
  expect(shop.received).toHaveLength(35);
  await expect(runPump(context)).resolves.toEqual({ count: 0 });
});

test('one that comes to it has its work begun at once and ends, while an endpoint hangs', async () => {
  const { answer, open } = gate();
  const hanging = await due(1, answer);
  const first = runPump(context);
  await until(() => hanging.received.length === 1);
  const shop = await due(3);
  await expect(runPump(context)).resolves.toEqual({ count: 0 });
  await until(() => shop.received.length === 3);
  open();
  await expect(first).resolves.toEqual({ count: 4 });
});

test('claims nothing after its time and awaits what is in flight, beside which the next one goes on', async () => {
  const { answer, open } = gate();
  const hanging = await due(12, answer);
  const room = { maxInFlight: 12, budgetMs: 300 };
  const first = runPump(context, room);
  await until(() => hanging.received.length === 10);
  await sleep(350);
  const shop = await due(5);
  const next = runPump(context, { ...room, budgetMs: 20_000 });
  await until(() => shop.received.length === 5);
  // They go two by two: the first run has ten of twelve.
  expect(shop.mostOpen()).toBeLessThanOrEqual(2);
  open();
  await expect(first).resolves.toEqual({ count: 10 });
  // The two that had no room go by this run or, if it was over by then, by the one after it.
  const [{ count }, after] = [await next, await runPump(context)];
  expect(count + after.count).toBe(7);
});

test('stopped, runs claim nothing more, and what is in flight is awaited', async () => {
  const { answer, open } = gate();
  const hanging = await due(12, answer);
  const run = runPump(context);
  await until(() => hanging.received.length === 10);
  let isStopped = false;
  const stopped = stopPumpRuns(database.pool).then(() => {
    isStopped = true;
  });
  await expect(runPump(context)).resolves.toEqual({ count: 0 });
  expect(isStopped).toBe(false);
  open();
  await stopped;
  await expect(run).resolves.toEqual({ count: 10 });
  expect(hanging.received).toHaveLength(10);
});
