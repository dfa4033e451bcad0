'use server';

import { refresh } from 'next/cache';

/** Has the page rendered anew for its own script: the page stays as it is if the call fails. */
export async function renderAnew(): Promise<void> {
  refresh();
}
