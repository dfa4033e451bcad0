import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { insertDue, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { DueEvent } from './due-events.ts';
import { Relay } from './relay.ts';

const SECOND_MS = 1_000;

let database: TestDatabase;
let merchantId: string;
let relay: Relay;
/** The process's clock, which only a test moves. */
let processMs: number;
/** The nudges for overdue work, by look. */
let nudges: DueEvent[][];
/** The number of looks that had reported it when the worker took the work over. */
let takenOverAfter: number | null;

beforeEach(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
  processMs = 0;
  nudges = [];
  takenOverAfter = null;
  vi.spyOn(performance, 'now').mockImplementation(() => processMs);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
  await database.drop();
});

const due = (at: Date) => insertDue(database.pool, { merchantId, url: 'http://x/', at });

/** Announced work that has been due for this long, and the relay that finds it. */
async function startWithWaiting(dueForMs: number): Promise<void> {
  const now = new Date();
  await due(new Date(now.getTime() - dueForMs));
  await database.pool.query('UPDATE callbacks SET relayed_at = now()');
  relay = new Relay({
    db: database.pool,
    send: async (events) => {
      const told = events.filter(({ id }) => id.startsWith('gateway/callbacks.due:'));
      if (told.length > 0) nudges.push(told);
    },
    register: async () => undefined,
    startFallback: () => {
      takenOverAfter = nudges.length;
      return { state: () => 'embedded', stop: async () => undefined };
    },
    clock: () => now,
    onError: (_task, error) => {
      throw error;
    },
    tickMs: 20,
  });
}

/** Waits for the relay's next look. */
async function untilLooked(): Promise<void> {
  await due(new Date(Date.now() + 3_600_000));
  const isRelayed = 'SELECT FROM callbacks WHERE relayed_at IS NULL';
  await until(async () => (await database.pool.query(isRelayed)).rowCount === 0);
}

test('work that waits is announced again once a second, however often it looks', async () => {
  await startWithWaiting(2 * SECOND_MS);
  for (let looks = 0; looks < 3; looks += 1) await untilLooked();
  expect(nudges).toHaveLength(1);
  processMs += SECOND_MS;
  await untilLooked();
  await untilLooked();
  expect(nudges).toHaveLength(2);
});

test('the worker takes work over that three looks in a row found waiting, and no sooner', async () => {
  await startWithWaiting(60 * SECOND_MS);
  for (let looks = 1; looks <= 3; looks += 1) {
    expect(takenOverAfter).toBeNull();
    await until(() => nudges.length === looks);
    processMs += SECOND_MS;
  }
  expect(takenOverAfter).toBe(2);
});

test('it takes over nothing that has waited for ten seconds or less', async () => {
  await startWithWaiting(10 * SECOND_MS);
  for (let looks = 1; looks <= 5; looks += 1) {
    await until(() => nudges.length === looks);
    processMs += SECOND_MS;
  }
  expect(takenOverAfter).toBeNull();
});
