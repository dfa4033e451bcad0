'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { payingNow } from '../form/paying-now.ts';
import { CHECK_NOW } from '../live/live.tsx';

/** Has the gateway remember a language as the link does, whose answer only leads to the page again. */
async function remember(href: string): Promise<void> {
  try {
    await fetch(href, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  } catch {
    // The page stays in its language without a connection.
  }
}

/**
 * A link of the language selector on a page with a form: it changes the language around the typed
 * text, once the page has checked that it can be rendered anew.
 */
export function LanguageLink(link: ComponentProps<'a'>) {
  async function choose(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    // It opens beside the page, or the form is on its way and nothing is typed any more.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || payingNow.current)
      return;
    event.preventDefault();
    await remember(event.currentTarget.href);
    window.dispatchEvent(new Event(CHECK_NOW));
  }
  const inPlace: ComponentProps<'a'> = { ...link, onClick: (event) => void choose(event) };
  return <a {...inPlace} />;
}
