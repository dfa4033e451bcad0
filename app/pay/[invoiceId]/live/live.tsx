'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { refreshOrStay } from '../../../_ui/refresh-or-stay.ts';
import { payingNow } from '../form/paying-now.ts';
import { nextDelayMs } from './poll-schedule.ts';
import { useSaid } from './use-said.ts';

/** Asks the page to check for a change at once, e.g. when the time has run out. */
export const CHECK_NOW = 'pay:check-now';

/** `locale` is the buyer's choice; a gateway of the version before sends none. */
type State = { version: string; locale?: string | null };

/** The page's present state; null if there is no answer. */
async function askState(invoiceId: string): Promise<State | null> {
  try {
    const answer = await fetch(`/pay/${invoiceId}/state`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    });
    const { version, locale }: Partial<State> = answer.ok ? await answer.json() : {};
    return version ? { version, locale } : null;
  } catch {
    // There is no connection, or the server restarts: the next check will tell.
    return null;
  }
}

type Props = {
  invoiceId: string;
  version: string;
  locale: string;
  /** Whether to check often, because a change is near. */
  eager: boolean;
  /** Whether nothing can change any more. */
  final: boolean;
};

/** Whether this load has watched already: a later page may come from the router's cache. */
let hasWatched = false;

function useWatch({ invoiceId, version, locale, eager, final }: Props): void {
  const router = useRouter();
  const mayBeOld = useRef(hasWatched);
  useEffect(() => {
    hasWatched = true;
    if (final) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looks = 0;
    let ended = false;
    const refresh = () => void refreshOrStay(() => router.refresh());
    async function look() {
      clearTimeout(timer);
      if (document.hidden) return;
      const found = payingNow.current ? null : await askState(invoiceId);
      if (ended) return;
      looks++;
      timer = setTimeout(look, nextDelayMs(looks, eager));
      if (!found || payingNow.current) return;
      if (found.version !== version || (found.locale ?? locale) !== locale) refresh();
    }
    const again = () => void look();
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted && !payingNow.current) refresh();
    };
    if (mayBeOld.current) again();
    else timer = setTimeout(look, nextDelayMs(looks, eager));
    mayBeOld.current = false;
    document.addEventListener('visibilitychange', again);
    window.addEventListener('online', again);
    window.addEventListener(CHECK_NOW, again);
    window.addEventListener('pageshow', restored);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
      window.removeEventListener('online', again);
      window.removeEventListener(CHECK_NOW, again);
      window.removeEventListener('pageshow', restored);
    };
  }, [invoiceId, version, locale, eager, final, router]);
}

/**
 * Keeps an open page current: checks whether the invoice or the buyer's language has changed
 * elsewhere, and if so renders the page anew. It announces a change of the invoice to a screen
 * reader, and moves the focus to the new state if the change removed the focused element.
 */
export function Live({ title, ...watch }: Props & { title: string }) {
  useWatch(watch);
  const first = useRef(watch.version);
  const [said, say] = useSaid(watch.locale);
  useEffect(() => {
    if (first.current === watch.version) return;
    first.current = watch.version;
    say(title);
    if (document.activeElement && document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('[data-new-state]')?.focus();
  }, [watch.version, title, say]);
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
