'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { refreshOrStay } from '../../../_ui/refresh-or-stay.ts';
import { payingNow } from '../form/paying-now.ts';
import { nextDelayMs } from './poll-schedule.ts';
import { useSaid } from './use-said.ts';

/** Asks the page to look for a change at once, e.g. when the time has run out. */
export const CHECK_NOW = 'pay:check-now';

/** `locale` is the one that the buyer has chosen; a gateway of the version before tells none. */
type State = { version: string; locale?: string | null };

/** What the page has to show by now; null where nobody says so. */
async function askState(invoiceId: string): Promise<State | null> {
  try {
    const answer = await fetch(`/pay/${invoiceId}/state`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(10_000),
    });
    const { version, locale }: Partial<State> = answer.ok ? await answer.json() : {};
    return version ? { version, locale } : null;
  } catch {
    // No connection, or a server that restarts: the next look will tell.
    return null;
  }
}

type Props = {
  invoiceId: string;
  version: string;
  locale: string;
  /** Something is about to happen: look often. */
  eager: boolean;
  /** Nothing can change any more. */
  final: boolean;
};

/** Whether any of this load has watched: what is shown later may come from the router's cache. */
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
 * Keeps an open page true: looks whether the invoice has changed elsewhere, or the buyer's language,
 * and renders the page anew if so. A change of the invoice it says to a screen reader, and puts the
 * focus on the new state when the change took away what had it.
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
