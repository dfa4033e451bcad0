import type { Logger } from 'pino';
import { TokenBuckets } from '../lib/token-bucket.ts';

// The SDK tells of each call that has no right signature, with a stack, and anybody can call.
const LINES = { perSecond: 10, burst: 100 };
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

type SdkLogger = Record<(typeof LEVELS)[number], (...line: [string] | [object, string?]) => void>;

/**
 * A log for Inngest's SDK that writes into `target`. Of very many lines in a second some are only
 * counted: how many that were is told before the next one.
 *
 * @param clock milliseconds from any beginning
 */
export function boundedLog(
  target: Pick<Logger, (typeof LEVELS)[number] | 'isLevelEnabled'>,
  clock: () => number = () => performance.now(),
): SdkLogger {
  const lines = new TokenBuckets(LINES, 1);
  let unlogged = 0;
  const writeAt =
    (level: (typeof LEVELS)[number]): SdkLogger[typeof level] =>
    (...line) => {
      if (!target.isLevelEnabled(level)) return;
      if (lines.take('', clock()) > 0) {
        unlogged += 1;
        return;
      }
      if (unlogged > 0) target.warn({ unlogged }, 'lines of the Inngest SDK were left out');
      unlogged = 0;
      target[level](...(line as [object, string?]));
    };
  return {
    debug: writeAt('debug'),
    info: writeAt('info'),
    warn: writeAt('warn'),
    error: writeAt('error'),
  };
}
