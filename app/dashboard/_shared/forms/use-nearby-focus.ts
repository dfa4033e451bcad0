'use client';

import { useEffect, useRef } from 'react';

/** What names the part of the page that something stands in, which may go as well, and the page. */
function headingsOf(element: Element | null): HTMLElement[] {
  const id = element?.closest('section[aria-labelledby]')?.getAttribute('aria-labelledby');
  const heading = id ? document.getElementById(id) : null;
  return [heading, document.querySelector<HTMLElement>('main h1')].filter((each) => each !== null);
}

/**
 * For what goes from the page when its work is done: the focus moves to the heading above it
 * then, and does not fall to the start of the page.
 *
 * @returns `begin` is called where the work begins, while the focus still stands there;
 *   `forget` where it came to nothing
 */
export function useNearbyFocus(): { begin: () => void; forget: () => void } {
  const headings = useRef<HTMLElement[]>([]);
  useEffect(
    () => () => {
      // None where the whole page has changed.
      const place = headings.current.find(({ isConnected }) => isConnected);
      // Nor where somebody has gone on meanwhile.
      if (!place || document.activeElement !== document.body) return;
      place.tabIndex = -1;
      place.focus();
    },
    [],
  );
  return {
    begin: () => {
      // A question stands outside of the part that its opener stands in.
      const opener = document.querySelector('[data-popup-open]');
      headings.current = headingsOf(opener ?? document.activeElement);
    },
    forget: () => {
      headings.current = [];
    },
  };
}
