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
 * Longer than any call takes except resending very many callbacks. A browser waits minutes for a
 * lost answer, and the pressed button waits with it.
 */
const PATIENCE_MS = 60_000;

/**
 * Offers to reload a page that is out of date, and to sign in after a session has ended. Failures
 * without a procedure's answer (no connection, or a proxy's own page) are told in the page's words,
 * not a parser's.
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

/** The browser's access to the procedures of one environment. */
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
