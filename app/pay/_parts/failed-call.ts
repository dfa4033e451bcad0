import { unstable_isUnrecognizedActionError, unstable_rethrow } from 'next/navigation';
import type { PayNotice } from './form-state.ts';

/**
 * What to tell the buyer when the call of an action has failed: the connection was lost; or the
 * gateway was updated and knows the action of an older page no more; or something answered that is
 * not the action, which may have been carried out for all that.
 *
 * @throws what Next throws on purpose, such as a redirect
 */
export function noticeOfFailedCall(error: unknown): PayNotice {
  unstable_rethrow(error);
  if (unstable_isUnrecognizedActionError(error)) return 'outdated';
  // Fetch Standard: a network error, and nothing else, is a TypeError.
  return error instanceof TypeError ? 'lost' : 'unclear';
}
