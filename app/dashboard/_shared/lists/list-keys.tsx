'use client';

import { useEffect } from 'react';
import { pressedKey } from '#app/_ui/pressed-key.ts';

/**
 * From a row (links marked `data-row`) J and K walk through the others, and `/` goes to the search
 * box. Nowhere else: who speaks to the machine, or rests a hand on the keys, would set them off.
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
        // What is folded away takes no focus.
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
