import type { Logger } from 'pino';
import { LineLimit } from '../../observability/line-limit.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

type SdkLogger = Record<(typeof LEVELS)[number], (...line: [string] | [object, string?]) => void>;

/**
 * A log for Inngest's SDK, written into `target`. The SDK logs each call without a valid signature,
 * with a stack, and anybody can call. Of very many lines in a second some are only counted: the
 * next line follows their number.
 *
 * @param clock milliseconds from any start
 */
export function boundedLog(
  target: Pick<Logger, (typeof LEVELS)[number] | 'isLevelEnabled'>,
  clock: () => number = () => performance.now(),
): SdkLogger {
  const lines = new LineLimit();
  const writeAt =
    (level: (typeof LEVELS)[number]): SdkLogger[typeof level] =>
    (...line) => {
      if (!target.isLevelEnabled(level)) return;
      const unlogged = lines.take(clock());
      if (unlogged === null) return;
      if (unlogged > 0) target.warn({ unlogged }, 'lines of the Inngest SDK were left out');
      target[level](...(line as [object, string?]));
    };
  return {
    debug: writeAt('debug'),
    info: writeAt('info'),
    warn: writeAt('warn'),
    error: writeAt('error'),
  };
}
