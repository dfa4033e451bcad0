import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { grantTenant } from '../../merchants/tenant.ts';
import { insertDue } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { quietInngest } from '../../testing/inngest-functions.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import type { DueEvent } from './due-events.ts';
import { SendError } from './event-sender.ts';
import { createJobFunctions, FUNCTION_IDS, SWEEP_IDS } from './inngest.ts';
import { Relay } from './relay.ts';
import { countRun } from './runs.ts';

const SECOND_MS = 1_000;

let database: TestDatabase;
let merchantId: string;
let relay: Relay;
/** The process's clock, which only a test moves. */
let processMs: number;
let registrations: number;
let looks: number;

beforeEach(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
  processMs = 0;
  registrations = 0;
  looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => processMs);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
  await database.drop();
});

function startRelay(send: (events: readonly DueEvent[]) => Promise<void>): void {
  const startMs = Date.now();
  relay = new Relay({
    db: database.pool,
    send,
    register: async () => {
      registrations += 1;
    },
    startFallback: () => ({ state: () => 'embedded', stop: async () => undefined }),
    clock: () => {
      looks += 1;
      return new Date(startMs + processMs);
    },
    onError: () => undefined,
    tickMs: 20,
  });
}

/** Ids of the functions that these events start. */
function startedBy(events: readonly DueEvent[]): string[] {
  const context = { db: () => database.pool, clock: () => new Date() };
  const functions = createJobFunctions(quietInngest(), context);
  const names = new Set<string>(events.map(({ name }) => name));
  return functions
    .filter(({ opts }) => opts.triggers?.some((on) => 'event' in on && names.has(String(on.event))))
    .map((each) => each.id());
}

/** Passes this time and waits for a whole look. */
async function pass(ms: number): Promise<void> {
  processMs += ms;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThanOrEqual(before + 2);
}

test('the worker goes on while events are taken and not run, and ends when all functions ran', async () => {
  let runsThem = false;
  const at = new Date(Date.now() - 60 * SECOND_MS);
  await insertDue(database.pool, { merchantId, url: 'http://x/', at });
  startRelay(async (events) => {
    if (!runsThem) return;
    for (const id of startedBy(events)) await countRun(database.pool, id);
  });
  for (let seconds = 0; seconds < 4; seconds += 1) await pass(SECOND_MS);
  expect(relay.isFallingBack).toBe(true);
  // The worker has tried it: only probes are sent from now on.
  await database.pool.query("UPDATE callbacks SET next_attempt_at = now() + interval '1 year'");
  for (let hours = 0; hours < 3; hours += 1) await pass(3_600 * SECOND_MS);
  expect(relay.isFallingBack).toBe(true);
  runsThem = true;
  for (let seconds = 0; seconds < 10; seconds += 1) await pass(SECOND_MS);
  expect(relay.isFallingBack).toBe(true);
  for (const id of SWEEP_IDS) await countRun(database.pool, id);
  await pass(SECOND_MS);
  expect(relay.isFallingBack).toBe(false);
});

test('a closed Inngest is noticed though nothing is due and so nothing sent', async () => {
  let sends = 0;
  startRelay(async () => {
    sends += 1;
    throw new SendError('closed');
  });
  await pass(SECOND_MS);
  await pass(140 * SECOND_MS);
  expect(relay.isFallingBack).toBe(false);
  expect(sends).toBe(0);
  const known = registrations;
  await pass(20 * SECOND_MS);
  expect(relay.isFallingBack).toBe(true);
  // Inngest may have lost its knowledge of us.
  expect(registrations).toBeGreaterThan(known);
});

test('ends of invoices that a lost Inngest had taken are announced again when it has the jobs', async () => {
  let isLost = false;
  const announced: string[] = [];
  const tenant = grantTenant(merchantId, 'sandbox');
  const endDateMs = Date.now() + 50 * SECOND_MS;
  await createTestInvoice(database.pool, tenant, { now: new Date(), endDateMs });
  startRelay(async (events) => {
    if (isLost) throw new SendError('closed');
    announced.push(...events.map(({ id }) => id).filter((id) => id.startsWith('expire:')));
  });
  await pass(SECOND_MS);
  expect(announced).toHaveLength(1);
  isLost = true;
  await insertDue(database.pool, { merchantId, url: 'http://x/', at: new Date() });
  await expect.poll(() => relay.isFallingBack).toBe(true);
  isLost = false;
  await pass(SECOND_MS);
  for (const id of FUNCTION_IDS) await countRun(database.pool, id);
  await pass(SECOND_MS);
  expect(relay.isFallingBack).toBe(false);
  await expect.poll(() => announced).toHaveLength(2);
  expect(new Set(announced).size).toBe(1);
});
