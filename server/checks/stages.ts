import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProgram } from '../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import { provideChromium } from './browser.ts';
import { importFaults, readSources } from './imports.ts';
import type { Stage, StageGroup, StageResult } from './run-stages.ts';
import { type Counts, countPlaywright, countVitest } from './test-reports.ts';
import { tidyFaults } from './tidy.ts';

const PROGRAMS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  next: 'node_modules/next/dist/bin/next',
  playwright: 'node_modules/@playwright/test/cli.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/** The static part: seconds, no database, no browser. */
export function quickStages(): StageGroup[] {
  return [
    [
      program('format and lint', [[PROGRAMS.biome, 'ci', '--colors=off', '.']]),
      sourceCheck('import table', importFaults),
      sourceCheck('names and leftovers', tidyFaults),
    ],
    [
      program('types', [
        [PROGRAMS.next, 'typegen'],
        [PROGRAMS.tsc, '--noEmit', '--incremental', 'false'],
      ]),
      program('unused code', [[PROGRAMS.knip, '--no-progress', '--no-config-hints']]),
    ],
  ];
}

/** Stages that need a database, a production build or a browser. */
export function slowStages(): StageGroup[] {
  return [
    // Tests spend much of their time waiting, and the build uses the two processors meanwhile.
    [
      vitest('unit and integration tests', 'unit*'),
      program('production build', [['server/bootstrap.js', 'build']]),
    ],
    [
      vitest('contract, both transports', 'contract'),
      playwright('processes that start and die', ['--project=processes', '--no-deps']),
      program('fault suite, short', [['server/bootstrap.js', 'test:faults', '--short']]),
    ],
    // The measurement runs after the journeys that it depends on.
    [playwright('journeys in Chromium', ['--project=speed'])],
  ];
}

async function runNode(args: string[], extra: Record<string, string> = {}) {
  // The stage sets its own mode, whatever the caller's NODE_ENV.
  const mode = { NODE_ENV: 'production', NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' };
  const env = childEnvironment({ ...mode, ...extra });
  return await runProgram(process.execPath, args, { env, cwd: projectRoot() });
}

/** A stage of programs that run one after the other until one fails. */
function program(title: string, commands: string[][]): Stage {
  return {
    title,
    run: async () => {
      let output = '';
      for (const args of commands) {
        const result = await runNode(args);
        output += result.output;
        if (!result.ok) return { passed: 0, failed: 1, output: `${output}\n(${result.ending})` };
      }
      return { passed: 1, failed: 0, output };
    },
  };
}

function sourceCheck(title: string, faultsOf: typeof importFaults): Stage {
  return {
    title,
    run: async () => {
      const faults = faultsOf(await readSources(projectRoot()));
      const failed = faults.length > 0 ? 1 : 0;
      return { passed: 1 - failed, failed, output: faults.join('\n') };
    },
  };
}

function vitest(title: string, project: string): Stage {
  return {
    title,
    run: () =>
      withReport(async (report) => {
        const args = ['run', '--project', project, '--reporter=default', '--reporter=json'];
        const command = [PROGRAMS.vitest, ...args, `--outputFile.json=${report}`];
        const run = await runNode(command, { NODE_ENV: 'test' });
        return { ...run, count: countVitest };
      }),
  };
}

function playwright(title: string, choice: string[]): Stage {
  return {
    title,
    run: () =>
      withReport(async (report) => {
        const chromium = await provideChromium(projectRoot());
        const extra = {
          NODE_ENV: 'test',
          CHROMIUM_PATH: chromium,
          PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        };
        const args = ['test', '--reporter=list,json', ...choice];
        const run = await runNode([PROGRAMS.playwright, ...args], extra);
        return { ...run, count: countPlaywright };
      }),
  };
}

type Run = { ok: boolean; ending: string; output: string; count: (report: unknown) => Counts };

/** Counts a test runner's results; failing without a failed test counts as one failure. */
async function withReport(work: (reportFile: string) => Promise<Run>): Promise<StageResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gateway-check-'));
  try {
    const file = path.join(folder, 'report.json');
    const run = await work(file);
    const text = await readFile(file, 'utf8').catch(() => null);
    const counts: Counts = text ? run.count(JSON.parse(text)) : { passed: 0, failed: 0 };
    if (run.ok && counts.passed === 0) {
      return { passed: 0, failed: 1, output: `${run.output}\nNo test ran.` };
    }
    const failed = run.ok ? counts.failed : Math.max(counts.failed, 1);
    return { ...counts, failed, output: `${run.output}\n(${run.ending})` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
