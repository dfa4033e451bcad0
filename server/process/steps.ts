const SLOW_AFTER_MS = 1_500;
const REPORT_EVERY_MS = 10_000;

export type Steps = {
  /** Runs one step of a start and reports how long it took; errors pass through. */
  run<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Prints a separate line. */
  say(text: string): void;
};

function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

/**
 * Reports on a stream what is being done: `… title` once a step turns out slow, `✓ title (1.2 s)`
 * when it is over. On a terminal the second line replaces the first.
 */
export function createSteps(output: NodeJS.WriteStream): Steps {
  const isTerminal = output.isTTY === true;
  // A closed terminal must not end the gateway before its parts end in order.
  output.on('error', () => undefined);
  const clear = isTerminal ? '\r\u001b[K' : '';
  return {
    say: (text) => {
      // The current step's line is written again below it.
      output.write(`${clear}${text}\n`);
    },
    async run(title, work) {
      const startedMs = performance.now();
      const pending = (): string => {
        const elapsedMs = performance.now() - startedMs;
        return elapsedMs < REPORT_EVERY_MS / 2
          ? `… ${title}`
          : `… ${title} (${formatDuration(elapsedMs)})`;
      };
      const report = (): void => {
        output.write(isTerminal ? `${clear}${pending()}` : `${pending()}\n`);
      };
      if (isTerminal) report();
      const first = setTimeout(report, SLOW_AFTER_MS);
      const again = setInterval(report, isTerminal ? 1_000 : REPORT_EVERY_MS);
      const end = (mark: string): void => {
        clearTimeout(first);
        clearInterval(again);
        const duration = formatDuration(performance.now() - startedMs);
        output.write(`${clear}${mark} ${title} (${duration})\n`);
      };
      try {
        const result = await work();
        end('✓');
        return result;
      } catch (error) {
        end('✗');
        throw error;
      }
    },
  };
}
