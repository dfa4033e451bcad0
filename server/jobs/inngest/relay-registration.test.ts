import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { insertDue } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { SendError } from './event-sender.ts';
import { Relay, type RelayOptions } from './relay.ts';

let database: TestDatabase;
const relays: Relay[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await database.drop();
});

function startRelay(more: Partial<RelayOptions> & Pick<RelayOptions, 'register'>): Relay {
  const relay = new Relay({
    db: database.pool,
    send: async () => undefined,
    startFallback: () => ({ state: () => 'embedded', stop: async () => undefined }),
    clock: () => new Date(),
    onError: () => undefined,
    ...more,
  });
  relays.push(relay);
  return relay;
}

/** The process's clock, which only the test moves. */
function processClock(): { passMs: (ms: number) => void } {
  let processMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => processMs);
  onTestFinished(() => void vi.restoreAllMocks());
  return {
    passMs: (ms) => {
      processMs += ms;
    },
  };
}

test('functions that a web has only after the first registration are registered as well', async () => {
  const { passMs } = processClock();
  let functions = ['old'];
  let known: string[] = [];
  startRelay({
    register: async () => {
      known = functions;
    },
  });
  await expect.poll(() => known).toEqual(['old']);
  functions = ['old', 'new'];
  passMs(121_000);
  await expect.poll(() => known).toEqual(functions);
});

/** Fails to register once for each of `pausesMs`, and lets that time pass after it. */
async function failing(pausesMs: number[]): Promise<string[]> {
  const { passMs } = processClock();
  const errors: string[] = [];
  let tries = 0;
  startRelay({
    onError: (task) => errors.push(task),
    register: async () => {
      const pauseMs = pausesMs[tries];
      tries += 1;
      if (pauseMs === undefined) return;
      setImmediate(() => passMs(pauseMs));
      throw new Error('no web yet');
    },
  });
  await expect.poll(() => tries).toBe(pausesMs.length + 1);
  return errors;
}

test('a web that starts beside the worker is registered soon after it listens, and that it did not yet is no error', async () => {
  expect(await failing([1_000, 2_000])).toEqual([]);
});

test('that no web registers the functions for long is told', async () => {
  const errors = await failing(Array.from({ length: 5 }, () => 10_000));
  expect(new Set(errors)).toEqual(new Set(['registering with Inngest']));
});

test('one that is wanted while another is under way follows it', async () => {
  let registrations = 0;
  let underWay = 0;
  let most = 0;
  let sends = 0;
  const { id: merchantId } = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId, url: 'http://localhost:1/', at: new Date() });
  startRelay({
    register: async () => {
      registrations += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await expect.poll(() => sends).toBeGreaterThanOrEqual(2);
      underWay -= 1;
    },
    send: async () => {
      sends += 1;
      if (sends <= 2) throw new SendError('closed');
    },
  });
  await expect.poll(() => registrations).toBe(2);
  expect(most).toBe(1);
});

test('one that failed is tried again, although the clock was set back by an hour', async () => {
  const { passMs } = processClock();
  let backMs = 0;
  let tries = 0;
  startRelay({
    clock: () => new Date(Date.now() - backMs),
    register: async () => {
      tries += 1;
      backMs = 3_600_000;
      setImmediate(() => passMs(11_000));
      throw new Error('no web yet');
    },
  });
  await expect.poll(() => tries).toBeGreaterThanOrEqual(2);
});

test('an Inngest that did not take events is told of the functions when it is back', async () => {
  let registrations = 0;
  let sends = 0;
  startRelay({
    register: async () => {
      registrations += 1;
    },
    send: async () => {
      sends += 1;
      if (sends === 1) throw new SendError('closed');
    },
  });
  const { id: merchantId } = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId, url: 'http://localhost:1/', at: new Date() });
  await expect.poll(() => registrations).toBe(2);
});

test('a stop ends the fallback while a send and a registration hang, and gives that one up', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const registrations: AbortSignal[] = [];
  const onError = vi.fn();
  let sends = 0;
  let fallbackEnded = false;
  const relay = startRelay({
    send: async () => {
      sends += 1;
      if (sends === 1) throw new SendError('closed');
      await answered;
      throw new SendError('silent');
    },
    register: async (signal) => {
      registrations.push(signal);
      await answered;
      throw new Error('no answer');
    },
    startFallback: () => ({
      state: () => 'embedded',
      stop: async () => {
        fallbackEnded = true;
      },
    }),
    onError,
  });
  const { id: merchantId } = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId, url: 'http://localhost:1/', at: new Date() });
  await expect.poll(() => sends).toBe(2);
  const stopped = relay.stop();
  await expect.poll(() => fallbackEnded).toBe(true);
  expect(registrations).not.toEqual([]);
  expect(registrations.filter(({ aborted }) => !aborted)).toEqual([]);
  onError.mockClear();
  answer();
  await stopped;
  expect(relay.isFallingBack).toBe(false);
  // Only the send is an error; an abandoned registration is not.
  expect(onError.mock.calls.map(([task]) => task)).toEqual(['relay']);
});
