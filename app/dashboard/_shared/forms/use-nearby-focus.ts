'use client';

import { useEffect, useRef } from 'react';

/** The headings of the page's parts around an element, which may go as well, and of the page. */
function headingsOf(element: Element | null): HTMLElement[] {
  const id = element?.closest('section[aria-labelledby]')?.getAttribute('aria-labelledby');
  const heading = id ? document.getElementById(id) : null;
  return [heading, document.querySelector<HTMLElement>('main h1')].filter((each) => each !== null);
}

/**
 * For an element that disappears when its work is done: the focus then moves to the heading above
 * instead of the start of the page.
 *
 * @returns `begin` is called when the work begins, while the element has the focus; `forget` when
 *   the work fails
 */
export function useNearbyFocus(): { begin: () => void; forget: () => void } {
  const headings = useRef<HTMLElement[]>([]);
  useEffect(
    () => () => {
      // The whole page may have changed, with no heading left.
      const place = headings.current.find(({ isConnected }) => isConnected);
      // The focus stays with a user who has moved on meanwhile.
      if (!place || document.activeElement !== document.body) return;
      place.tabIndex = -1;
      place.focus();
    },
    [],
  );
  return {
    begin: () => {
      // A question is outside its opener's part of the page.
      const opener = document.querySelector('[data-popup-open]');
      headings.current = headingsOf(opener ?? document.activeElement);
    },
    forget: () => {
      headings.current = [];
    },
  };
}
