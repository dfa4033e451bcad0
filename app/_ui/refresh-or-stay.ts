import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { renderAnew } from './render-anew.ts';

/** Next does one action after the other: where one is lost for good, the next is asked for after so long. */
const PATIENCE_MS = 60_000;

let beganMs: number | null = null;

/**
 * Has the page that is shown rendered anew, or leaves it as it is: Next's own refresh goes to whatever
 * the browser shows when its one request fails, and what was typed is gone. While one is under way,
 * another does nothing. Never rejects.
 *
 * @param reload loads the page of a gateway that was updated
 */
export async function refreshOrStay(reload: () => void): Promise<void> {
  const nowMs = performance.now();
  if (beganMs !== null && nowMs - beganMs < PATIENCE_MS) return;
  beganMs = nowMs;
  const { hash, pathname, search } = location;
  // Next knows of no hash that a plain link has set: it would add an entry to the history without it.
  if (hash !== '') history.replaceState(history.state, '', pathname + search);
  try {
    await renderAnew(new FormData());
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) reload();
  } finally {
    if (beganMs === nowMs) beganMs = null;
  }
}
