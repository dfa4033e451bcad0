import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// More sequences of the model-based test, or one of them again: MODEL_RUNS, and
// MODEL_SEED, MODEL_PATH and MODEL_REPLAY_PATH as a failure prints them.
const model = {
  runs: Number(process.env.MODEL_RUNS ?? 2_000),
  seed: Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31),
  path: process.env.MODEL_PATH ?? '',
  replayPath: process.env.MODEL_REPLAY_PATH ?? '',
};

const CONTRACT = 'server/rest/contract/*.test.ts';

export default defineConfig({
  test: {
    provide: { model },
    // Tests wait for PostgreSQL, sockets and timers more than they compute; on two cores one
    // worker, which is the default there, leaves half of the machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          globalSetup: 'server/testing/global-setup.ts',
          include: ['{server,app,client,examples}/**/*.test.ts'],
          exclude: [CONTRACT, '**/node_modules/**'],
        },
      },
      {
        // Speaks HTTP to both doors as real processes: needs a production build.
        extends: true,
        test: {
          name: 'contract',
          globalSetup: 'server/testing/doors-setup.ts',
          include: [CONTRACT],
          testTimeout: 300_000,
        },
      },
    ],
  },
});
