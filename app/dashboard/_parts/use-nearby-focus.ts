'use client';

import { useEffect, useRef } from 'react';

/** What names the part of the page that something stands in, or else the page. */
function headingOf(element: Element | null): HTMLElement | null {
  const id = element?.closest('section[aria-labelledby]')?.getAttribute('aria-labelledby');
  const heading = id ? document.getElementById(id) : null;
  return heading ?? document.querySelector<HTMLElement>('main h1');
}

/**
 * For what goes from the page when its work is done: the focus moves to the heading above it
 * then, and does not fall to the start of the page.
 *
 * @returns `begin` is called where the work begins, while the focus still stands there;
 *   `forget` where it came to nothing
 */
export function useNearbyFocus(): { begin: () => void; forget: () => void } {
  const heading = useRef<HTMLElement | null>(null);
  useEffect(
    () => () => {
      const place = heading.current;
      // Not where the whole page has changed, or somebody has gone on meanwhile.
      if (!place?.isConnected || document.activeElement !== document.body) return;
      place.tabIndex = -1;
      place.focus();
    },
    [],
  );
  return {
    begin: () => {
      heading.current = headingOf(document.activeElement);
    },
    forget: () => {
      heading.current = null;
    },
  };
}
