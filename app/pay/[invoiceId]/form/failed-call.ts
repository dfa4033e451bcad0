import { unstable_isUnrecognizedActionError, unstable_rethrow } from 'next/navigation';
import { dropWhatIsAwaited } from '#app/_ui/refresh-or-stay.ts';
import { NoAnswerError, withTimeout } from '#server/lib/timeout.ts';
import type { PayNotice } from './form-state.ts';

/**
 * The server answers a call within some eight seconds, if only that it takes longer. A browser waits
 * for minutes for an answer that is lost.
 */
const PATIENCE_MS = 30_000;

/**
 * What the call of an action comes to.
 *
 * @throws NoAnswerError when it is given up; the page can then hear what became of it
 */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await withTimeout(PATIENCE_MS, call);
  } catch (error) {
    if (error instanceof NoAnswerError) dropWhatIsAwaited();
    throw error;
  }
}

/**
 * What to tell the buyer when the call of an action has failed: the connection was lost; or the
 * gateway was updated and knows the action of an older page no more; or something answered that is
 * not the action, or nobody did; the action may have been carried out for all that.
 *
 * @throws what Next throws on purpose, such as a redirect
 */
export function noticeOfFailedCall(error: unknown): PayNotice {
  unstable_rethrow(error);
  if (unstable_isUnrecognizedActionError(error)) return 'outdated';
  // Fetch Standard: a network error, and nothing else, is a TypeError.
  return error instanceof TypeError ? 'lost' : 'unclear';
}
