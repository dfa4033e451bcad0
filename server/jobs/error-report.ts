import { log } from '../observability/log.ts';

const QUIET_MS = 5_000;

/**
 * Logs errors of background work, each task's at most every five seconds: while
 * PostgreSQL is away everything fails several times a second, with one cause.
 */
export function createErrorReport(): (task: string, error: unknown) => void {
  const tasks = new Map<string, { quietUntilMs: number; leftOut: number }>();
  return (task, error) => {
    const nowMs = performance.now();
    const state = tasks.get(task) ?? { quietUntilMs: 0, leftOut: 0 };
    tasks.set(task, state);
    if (nowMs < state.quietUntilMs) {
      state.leftOut += 1;
      return;
    }
    log().error({ err: error, task, leftOut: state.leftOut }, 'background work failed; it goes on');
    state.leftOut = 0;
    state.quietUntilMs = nowMs + QUIET_MS;
  };
}
