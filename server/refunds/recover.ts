import type { Pool } from 'pg';
import { metrics } from '../observability/metrics.ts';
import { askAcquirer } from './ask.ts';
import { takeDueRefunds } from './rechecks.ts';

/**
 * Asks the acquirers about PENDING refunds that are due: those that a crash left half done, those
 * whose answer was lost, and those that an acquirer takes days for. All are asked at once, so an
 * acquirer that does not answer holds up no other.
 *
 * @param options.limitMs how long an acquirer may take for an answer
 * @returns the numbers of successes and failures among those taken up, and the reasons
 */
export async function recoverRefunds(
  pool: Pool,
  { clock, limit, limitMs }: { clock: () => Date; limit: number; limitMs?: number },
): Promise<{ recovered: number; failed: number; errors: unknown[] }> {
  const ids = await takeDueRefunds(pool, { now: clock(), limit });
  const results = await Promise.allSettled(
    ids.map((id) => askAcquirer(pool, id, { clock, isNew: false, ...(limitMs && { limitMs }) })),
  );
  const errors = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  metrics().recoveries.inc({ outcome: 'recovered' }, ids.length - errors.length);
  metrics().recoveries.inc({ outcome: 'failed' }, errors.length);
  return { recovered: ids.length - errors.length, failed: errors.length, errors };
}
