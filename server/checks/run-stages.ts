import type { Counts } from './test-reports.ts';

/** A stage's result, with the number of its tests, or itself as one. */
export type StageResult = Counts & { output: string };

export type Stage = { title: string; run: () => Promise<StageResult> };

/** Stages that may run at the same time; a group begins when the previous one is over. */
export type StageGroup = Stage[];

type Row = { title: string; durationMs: number; result: StageResult | 'not run' };

const BEAT_EVERY_MS = 30_000;

/**
 * Runs groups of stages one after the other and reports each result. The last line is `N passed, N
 * failed`, for build servers that look for it.
 *
 * @param options.goOn runs the groups after a failing one, too
 * @returns whether everything passed
 */
export async function runStages(
  groups: StageGroup[],
  options: { goOn: boolean; output: { write(text: string): unknown } },
): Promise<boolean> {
  const { output } = options;
  const rows: Row[] = [];
  let failedBefore = false;
  for (const group of groups) {
    if (failedBefore && !options.goOn) {
      rows.push(
        ...group.map(({ title }) => ({ title, durationMs: 0, result: 'not run' as const })),
      );
      continue;
    }
    const finished = await Promise.all(group.map((stage) => runStage(stage, output)));
    rows.push(...finished);
    failedBefore ||= finished.some((row) => row.result !== 'not run' && row.result.failed > 0);
  }
  output.write(`\n${table(rows)}\n`);
  const ran = rows.flatMap((row) => (row.result === 'not run' ? [] : [row.result]));
  const passed = ran.reduce((sum, result) => sum + result.passed, 0);
  const failed = ran.reduce((sum, result) => sum + result.failed, 0);
  output.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0;
}

async function runStage(stage: Stage, output: { write(text: string): unknown }): Promise<Row> {
  const startedMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedMs;
  output.write(`… ${stage.title}\n`);
  const beat = setInterval(() => {
    output.write(`… ${stage.title} (${seconds(elapsedMs())})\n`);
  }, BEAT_EVERY_MS);
  let result: StageResult;
  try {
    result = await stage.run();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    result = { passed: 0, failed: 1, output: text };
  }
  clearInterval(beat);
  const durationMs = elapsedMs();
  const mark = result.failed === 0 ? '✓' : '✗';
  output.write(`${mark} ${stage.title} (${seconds(durationMs)})\n`);
  for (const name of result.notRun ?? []) output.write(`  ! ${name}\n`);
  for (const name of result.flaky ?? []) output.write(`  ~ ${name} (not at the first try)\n`);
  if (result.failed > 0) output.write(`\n${result.output.trimEnd()}\n\n`);
  return { title: stage.title, durationMs, result };
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

function table(rows: Row[]): string {
  const width = Math.max(...rows.map((row) => row.title.length));
  return rows
    .map(({ title, durationMs, result }) => {
      const start = title.padEnd(width);
      if (result === 'not run') return `- ${start}   not run`;
      const mark = result.failed === 0 ? '✓' : '✗';
      const notRun = result.notRun?.length ? `, ${result.notRun.length} not run` : '';
      const flaky = result.flaky?.length ? `, ${result.flaky.length} not at the first try` : '';
      const counts = `${result.passed} passed, ${result.failed} failed${notRun}${flaky}`;
      return `${mark} ${start} ${seconds(durationMs).padStart(9)}   ${counts}`;
    })
    .join('\n');
}
