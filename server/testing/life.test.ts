import fc from 'fast-check';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { finish, startLife } from './life.ts';
import { lifeCommands } from './life-commands.ts';
import { createLane, type Lane } from './life-lane.ts';

// Each lane has a database and a receiver of its own, so that lanes run side by side; every other
// one shares statements, as its seed says. One sequence that is looked at again needs but one.
const MAX_COMMANDS = 14;
// Production's callbacks have queues of their own; most of what can happen is a payment.
const LIVES_IN = ['sandbox', 'sandbox', 'sandbox', 'production'] as const;
const { runs, seed, path, replayPath } = inject('model');
const LANES = path === '' ? 4 : 1;
const isCoalesced = (index: number) => (seed + index) % 2 === 0;

describe(`the life of an invoice, ${runs} sequences, MODEL_SEED=${seed}`, () => {
  const lanes: Lane[] = [];
  beforeAll(async () => {
    const open = (_: unknown, index: number) => createLane({ coalesced: isCoalesced(index) });
    lanes.push(...(await Promise.all(Array.from({ length: LANES }, open))));
  }, 60_000);
  afterAll(() => Promise.all(lanes.map((lane) => lane.close())));

  for (let index = 0; index < LANES; index++) {
    test.concurrent(`keeps the contract whatever happens in whatever order (lane ${index})`, {
      timeout: 60_000 + runs * 250,
    }, async () => {
      const lane = lanes[index];
      if (!lane) throw new Error('no such lane');
      const property = fc.asyncProperty(
        fc.constantFrom(...LIVES_IN),
        fc.commands(lifeCommands, {
          maxCommands: MAX_COMMANDS,
          size: 'max',
          // Shrinking would read an empty one, and fail on it.
          replayPath: replayPath || undefined,
        }),
        async (environment, commands) => {
          const life = await startLife(lane, environment);
          await fc.asyncModelRun(() => life, commands);
          await finish(life.model, life.real);
        },
      );
      const numRuns = Math.ceil(runs / LANES);
      await fc.assert(property, { numRuns, seed: seed + index, path, endOnFailure: false });
    });
  }
});
