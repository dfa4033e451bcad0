'use client';

import { createTRPCClient, httpLink } from '@trpc/client';
import superjson from 'superjson';
import type { Environment } from '#server/merchants/types.ts';
import type { AppRouter } from '#server/trpc/root.ts';

const UNREACHABLE = {
  en: 'The gateway cannot be reached. Check your connection, then try again.',
  ru: 'Шлюз недоступен. Проверьте соединение и попробуйте снова.',
};

/** A browser's own words for a lost connection are in its language and help nobody. */
async function call(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (cause) {
    const words = UNREACHABLE[document.documentElement.lang === 'ru' ? 'ru' : 'en'];
    throw new Error(words, { cause });
  }
}

/** The browser's way to the procedures, in one environment. */
export function dashboardClient(environment: Environment) {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: `/api/trpc/${environment}`, transformer: superjson, fetch: call })],
  });
}
