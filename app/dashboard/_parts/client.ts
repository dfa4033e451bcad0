'use client';

import { createTRPCClient, httpLink, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import superjson from 'superjson';
import type { Environment } from '#server/merchants/types.ts';
import type { AppRouter } from '#server/trpc/root.ts';
import { isFromElsewhere } from './failure-text.ts';
import { scriptWords } from './script-words.ts';
import { showToast } from './show-toast.ts';
import { SHOWN_MERCHANT_HEADER, shownMerchantId } from './shown-merchant.ts';

async function call(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (cause) {
    throw new Error(scriptWords().unreachable, { cause });
  }
}

/** Offers to load the page again where its merchant is no longer the session's. */
const offerReload: TRPCLink<AppRouter> = () => (request) =>
  observable((observer) =>
    request.next(request.op).subscribe({
      next: (value) => observer.next(value),
      complete: () => observer.complete(),
      error: (error) => {
        if (isFromElsewhere(error)) showToast(error.message, 'negative', { offersReload: true });
        observer.error(error);
      },
    }),
  );

function headers(): Record<string, string> {
  const merchantId = shownMerchantId();
  return merchantId === null ? {} : { [SHOWN_MERCHANT_HEADER]: merchantId };
}

/** The browser's way to the procedures, in one environment. */
export function dashboardClient(environment: Environment) {
  return createTRPCClient<AppRouter>({
    links: [
      offerReload,
      httpLink({ url: `/api/trpc/${environment}`, transformer: superjson, fetch: call, headers }),
    ],
  });
}
