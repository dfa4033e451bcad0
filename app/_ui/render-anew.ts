'use server';

import { refresh } from 'next/cache';

/**
 * Has the page rendered anew, for its own script: where the call fails, the page stays as it is.
 *
 * @param _ an empty one, which makes the call a form's: the door takes no others (action-posts.ts)
 */
export async function renderAnew(_: FormData): Promise<void> {
  refresh();
}
