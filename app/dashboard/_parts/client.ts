'use client';

import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import type { Environment } from '#server/merchants/types.ts';
import type { AppRouter } from '#server/trpc/root.ts';
import { scriptWords } from './script-words.ts';

async function call(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (cause) {
    throw new Error(scriptWords().unreachable, { cause });
  }
}

/** The browser's way to the procedures, in one environment. */
export function dashboardClient(environment: Environment) {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: `/api/trpc/${environment}`, transformer: superjson, fetch: call })],
  });
}
