'use client';

import { useEffect } from 'react';
import { pressedKey } from '#app/_ui/pressed-key.ts';

/**
 * J and K move between rows (links marked `data-row`) from a focused row, and `/` moves to the
 * search box. They work nowhere else: speech input, or a hand on the keyboard, would trigger them.
 */
export function ListKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const here = rows.indexOf(document.activeElement as HTMLElement);
      if (here < 0) return;
      const key = pressedKey(event);
      if (key === '/') {
        event.preventDefault();
        const search = document.getElementById('search');
        // A folded element takes no focus.
        search?.closest('details')?.setAttribute('open', '');
        search?.focus();
        return;
      }
      const step = { j: 1, k: -1 }[key];
      if (step !== undefined) rows[here + step]?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return null;
}
