'use client';

import { createTRPCClient, httpLink, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { pageTranslator } from '#app/_i18n/messages-provider.tsx';
import { withTimeout } from '#server/lib/timeout.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { AppRouter } from '#server/trpc/root.ts';
import { transformer } from '#server/trpc/transformer.ts';
import { SHOWN_MERCHANT_HEADER, shownMerchantId } from '../_shell/shown-merchant.ts';
import { wayOn } from './failure-text.ts';
import { showToast } from './show-toast.ts';

/**
 * Longer than the gateway works on any call but to resend very many callbacks. A browser waits for
 * minutes for an answer that is lost, and whatever was pressed waits with it.
 */
const PATIENCE_MS = 60_000;

/**
 * Offers to load the page again where it is out of date, and to sign in where the session has
 * ended. What no procedure has answered (there is no connection, or a proxy sends a page of its
 * own) is told in the page's words, not a parser's.
 */
const tellFailure: TRPCLink<AppRouter> = () => (request) =>
  observable((observer) =>
    request.next(request.op).subscribe({
      next: (value) => observer.next(value),
      complete: () => observer.complete(),
      error: (error) => {
        const way = wayOn(error);
        if (way !== null) showToast(error.message, 'negative', way);
        if (error.shape) return observer.error(error);
        const unreachable = pageTranslator('script')('unreachable');
        observer.error(TRPCClientError.from(new Error(unreachable, { cause: error })));
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
      tellFailure,
      httpLink({
        url: `/api/trpc/${environment}`,
        transformer,
        headers,
        fetch: (url, init) => withTimeout(PATIENCE_MS, fetch(url, init)),
      }),
    ],
  });
}
