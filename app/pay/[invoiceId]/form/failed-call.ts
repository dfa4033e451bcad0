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
 * The result of an action's call.
 *
 * @throws NoAnswerError when it is given up; the page can then hear the action's result
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
 * The notice to the buyer after a failed call of an action: the connection was lost; or an updated
 * gateway no longer knows an older page's action; or something other than the action answered, or
 * nothing did, and the action may still have been carried out.
 *
 * @throws Next's intended errors, such as a redirect
 */
export function noticeOfFailedCall(error: unknown): PayNotice {
  unstable_rethrow(error);
  if (unstable_isUnrecognizedActionError(error)) return 'outdated';
  // Fetch Standard: a network error, and nothing else, is a TypeError.
  return error instanceof TypeError ? 'lost' : 'unclear';
}
