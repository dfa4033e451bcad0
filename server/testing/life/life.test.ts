import fc from 'fast-check';
import { afterAll, describe, inject, test, vi } from 'vitest';
import { finish, startLife } from './life.ts';
import { lifeCommands } from './life-commands.ts';
import { createLane, type Lane } from './life-lane.ts';
import { pay } from './life-pay.ts';

vi.mock('node:timers/promises', async (original) => {
  const module = await original<typeof import('node:timers/promises')>();
  const { sleepUntilWoken } = await import('./life-slow.ts');
  return { ...module, setTimeout: sleepUntilWoken(module.setTimeout) };
});

// Each lane has its own database, receiver and seed, so that lanes run side by side; every other
// lane shares statements, as its seed says. A test's name contains its lane's seed; with it the
// first lane does the same again, so a single sequence can be repeated alone.
const MAX_COMMANDS = 14;
// Production's callbacks have queues of their own, but most events are payments.
const LIVES_IN = ['sandbox', 'sandbox', 'sandbox', 'production'] as const;
// Few sequences pay by chance, and only what is PAID can be refunded.
const BEGINNINGS = ['unpaid', 'unpaid', 'paid'] as const;
const { runs, seed, path, replayPath } = inject('model');
const isAgain = path !== '';
const LANES = isAgain ? 1 : 4;

describe(`the life of an invoice, ${runs} sequences`, () => {
  const lanes = new Map<number, Lane>();
  afterAll(() => Promise.all([...lanes.values()].map((lane) => lane.close())));

  async function laneWith(laneSeed: number): Promise<Lane> {
    const lane = lanes.get(laneSeed) ?? (await createLane({ coalesced: laneSeed % 2 === 0 }));
    lanes.set(laneSeed, lane);
    return lane;
  }

  for (let laneSeed = seed; laneSeed < seed + LANES; laneSeed++) {
    test.concurrent(`keeps the contract whatever happens in whatever order, MODEL_SEED=${laneSeed}`, {
      timeout: 60_000 + runs * 250,
    }, async () => {
      const property = fc.asyncProperty(
        fc.constantFrom(...LIVES_IN),
        fc.constantFrom(...BEGINNINGS),
        fc.commands(lifeCommands, {
          maxCommands: MAX_COMMANDS,
          size: 'max',
          // Shrinking would read an empty path, and fail on it.
          replayPath: replayPath || undefined,
        }),
        async (environment, beginning, commands) => {
          const lane = await laneWith(laneSeed);
          try {
            const life = await startLife(lane, environment);
            const isPaid = beginning === 'paid' && environment === 'sandbox';
            if (isPaid) await pay('approved', life.model, life.real);
            await fc.asyncModelRun(() => life, commands);
            await finish(life.model, life.real);
          } catch (error) {
            // Its unfinished work would fail the shorter sequences, which are not at fault.
            lanes.delete(laneSeed);
            await lane.close();
            throw error;
          }
        },
      );
      const numRuns = isAgain ? 1 : Math.ceil(runs / LANES);
      await fc.assert(property, { numRuns, seed: laneSeed, path, endOnFailure: isAgain });
    });
  }
});
