import type { Logger } from 'pino';
import { LineWriter } from '../../observability/line-writer.ts';
import { destinationOf } from '../../observability/log.ts';
import { attemptOutcome } from '../outcome.ts';
import type { AttemptResult, ClaimedCallback } from '../types.ts';

/**
 * One line for every attempt, under the id of its original request: the X-Request-Id of a
 * merchant's call thus finds its consequences.
 *
 * The fields are fixed. They leave out the address, whose query may be a secret, the body and the
 * answer.
 */
export class AttemptLog {
  private readonly log: Logger;
  private readonly lines: LineWriter;

  constructor(log: Logger) {
    this.log = log;
    this.lines = new LineWriter(destinationOf(log));
  }

  /** @param cause the error's message, where the reason tells nothing of it */
  record(callback: ClaimedCallback, result: AttemptResult, endedAt: Date, cause?: string): void {
    if (!this.log.isLevelEnabled('info')) return;
    const { requestId, merchantId, environment, invoiceId } = callback;
    const { trigger, httpStatus, reason, durationMs } = result;
    this.lines.add(
      JSON.stringify({
        level: 'info',
        time: endedAt.toISOString(),
        requestId,
        merchantId,
        environment,
        invoiceId,
        attempt: callback.attemptCount + 1,
        trigger,
        outcome: attemptOutcome(callback, result),
        status: httpStatus,
        reason,
        cause,
        durationMs,
        msg: 'callback attempt',
      }),
    );
  }

  flush(): void {
    this.lines.flush();
  }
}
