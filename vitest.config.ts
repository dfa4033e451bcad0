import './e2e/no-env-file.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// More sequences of the model-based test, or one of them again: MODEL_RUNS, and
// MODEL_SEED, MODEL_PATH and MODEL_REPLAY_PATH as a failure prints them.
const model = {
  runs: Number(process.env.MODEL_RUNS ?? 1_000),
  seed: Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31),
  path: process.env.MODEL_PATH ?? '',
  replayPath: process.env.MODEL_REPLAY_PATH ?? '',
};

/** What a test changes, reads or leaves behind in its process, such as a payment that goes on. */
const OF_ITS_PROCESS =
  /\bvi\.(?:mock|doMock|hoisted|stub|useFakeTimers|spyOn|resetModules)|process\.(?:env|exit|on|once|emit|chdir|kill)\b|globalThis|metrics|slow_approved/;

const CONTRACT = 'server/rest/contract/*.test.ts';
const REPLICAS = 'server/rest/contract/replicas/*.test.ts';

// A gateway that already runs, of which somebody has killed a part: the fault suite says where.
const running = {
  name: process.env.CONTRACT_NAME ?? 'a running gateway',
  origin: process.env.CONTRACT_ORIGIN,
  databaseUrl: process.env.CONTRACT_DATABASE_URL ?? '',
};

const unitTests = ['server', 'app', 'client', 'examples'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.test.ts') && !/node_modules|rest\/contract/.test(file)),
);
const isApart = (file: string) => OF_ITS_PROCESS.test(readFileSync(file, 'utf8'));
const asPattern = (file: string) => file.replaceAll(/[()[\]]/g, '\\$&');
const apart = unitTests.filter(isApart).map(asPattern);

export default defineConfig({
  test: {
    provide: { model },
    // Tests wait for PostgreSQL, sockets and timers more than they compute; on two cores one
    // worker, which is the default there, leaves half of the machine idle, and two a quarter.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Says only when to give up: a shared machine can stall for seconds.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          globalSetup: 'server/testing/global-setup.ts',
          include: ['{server,app,client,examples}/**/*.test.ts'],
          exclude: [...apart, CONTRACT, REPLICAS, '**/node_modules/**'],
          // Loading the modules again for each file was half of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-apart',
          globalSetup: 'server/testing/global-setup.ts',
          include: apart,
        },
      },
      {
        // Speaks HTTP through both transports as real processes: needs a production build.
        extends: true,
        test: {
          name: 'contract',
          globalSetup: 'server/testing/transports-setup.ts',
          include: [CONTRACT],
          testTimeout: 300_000,
        },
      },
      ...(running.origin === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'replicas',
                include: [REPLICAS, 'server/rest/contract/{bad-input,errors,invoices}.test.ts'],
                testTimeout: 300_000,
                provide: {
                  transports: [{ name: running.name, origin: running.origin }],
                  contractDatabaseUrl: running.databaseUrl,
                },
              },
            },
          ]),
    ],
  },
});
