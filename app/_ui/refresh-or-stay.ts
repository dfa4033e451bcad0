import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { renderAnew } from './render-anew.ts';

/** A browser waits minutes for a lost answer. */
const PATIENCE_MS = 10_000;

let underWay: symbol | null = null;

/**
 * Makes Next drop the action that it waits for and start the next. Next runs one action at a time,
 * and the one behind a lost one may be a payment. A history entry without Next's state has this
 * effect; Next writes its state into the entry again.
 */
export function dropWhatIsAwaited(): void {
  history.replaceState(null, '', location.href);
}

/**
 * Has the current page rendered anew, or leaves it as it is. Next's own refresh would load the page
 * in full after a failed request and lose what was typed. A second call during the first does
 * nothing; a call without an answer is given up after ten seconds. Never rejects.
 *
 * @param reload loads the page of a gateway that was updated
 */
export async function refreshOrStay(reload: () => void): Promise<void> {
  if (underWay !== null) return;
  const own = Symbol('refresh');
  underWay = own;
  const { hash, pathname, search } = location;
  // Next does not know a hash that a plain link has set: it would add an entry to the history.
  if (hash !== '') history.replaceState(history.state, '', pathname + search);
  const patience = setTimeout(() => {
    underWay = null;
    dropWhatIsAwaited();
  }, PATIENCE_MS);
  try {
    await renderAnew();
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) reload();
  } finally {
    clearTimeout(patience);
    if (underWay === own) underWay = null;
  }
}
