import { defineConfig } from '@playwright/test';
import { findChromium } from './e2e/chromium.ts';
import './e2e/no-env-file.ts';

// Root in a container may not use the sandbox; the rest keeps the browser from talking to anyone
// but the pages under test.
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const CHROMIUM = {
  browserName: 'chromium',
  launchOptions: { executablePath: findChromium(), args: CHROMIUM_FLAGS },
} as const;

const JOURNEYS = { testIgnore: ['processes/**', 'lighthouse/**'], use: CHROMIUM };
/** On tests whose time passes by itself: they take next to nothing from what works beside them. */
const WAITS = /@waits/;

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.test.ts',
  globalSetup: './e2e/global-setup.ts',
  forbidOnly: true,
  // A shared machine can stall for seconds; what fails twice more is no stall.
  retries: process.env.CI ? 2 : 0,
  fullyParallel: true,
  // Two that work and one that waits.
  workers: 3,
  // Both say only when to give up: a busy machine takes several times as long as a quiet one.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  outputDir: './test-results',
  use: {
    // Noting every step takes a fifth of the time. Where a test is tried again, the second try does;
    // elsewhere whoever looks for a fault runs that journey again with `--trace on`.
    trace: process.env.CI ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // Ends processes with kill -9: not while the journeys need the machine.
    {
      name: 'processes',
      testMatch: 'processes/**/*.test.ts',
      dependencies: ['speed'],
      fullyParallel: false,
    },
    // Measures, so that nothing else may run beside it.
    {
      name: 'speed',
      testMatch: 'lighthouse/**/*.test.ts',
      dependencies: ['journeys', 'waits'],
      use: CHROMIUM,
    },
    { ...JOURNEYS, name: 'journeys', grepInvert: WAITS, workers: 2 },
    { ...JOURNEYS, name: 'waits', grep: WAITS, workers: 1 },
  ],
});
