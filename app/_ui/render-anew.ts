'use server';

import { refresh } from 'next/cache';

/** Has the page rendered anew, for its own script: where the call fails, the page stays as it is. */
export async function renderAnew(): Promise<void> {
  refresh();
}
