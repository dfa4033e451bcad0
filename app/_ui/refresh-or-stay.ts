import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { renderAnew } from './render-anew.ts';

/**
 * Has the page that is shown rendered anew, or leaves it as it is: Next's own refresh goes to whatever
 * the browser shows when its one request fails, and what was typed is gone. Never rejects.
 *
 * @param reload loads the page of a gateway that was updated
 */
export async function refreshOrStay(reload: () => void): Promise<void> {
  try {
    await renderAnew(new FormData());
  } catch (error) {
    if (unstable_isUnrecognizedActionError(error)) reload();
  }
}
