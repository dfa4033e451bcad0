import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { renderAnew } from './render-anew.ts';

/** A browser waits for minutes for an answer that is lost. */
const PATIENCE_MS = 10_000;

let underWay: symbol | null = null;

/**
 * Next does one action after the other, and what stands behind a lost one may be a payment. An entry
 * of the history without a state of Next's makes it drop what it waits for and take up the next; it
 * writes its own state into the entry again.
 */
export function dropWhatIsAwaited(): void {
  history.replaceState(null, '', location.href);
}

/**
 * Has the page that is shown rendered anew, or leaves it as it is: Next's own refresh goes to whatever
 * the browser shows when its one request fails, and what was typed is gone. While one is under way,
 * another does nothing; one without an answer is given up after ten seconds. Never rejects.
 *
 * @param reload loads the page of a gateway that was updated
 */
export async function refreshOrStay(reload: () => void): Promise<void> {
  if (underWay !== null) return;
  const own = Symbol('refresh');
  underWay = own;
  const { hash, pathname, search } = location;
  // Next knows of no hash that a plain link has set: it would add an entry to the history without it.
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
