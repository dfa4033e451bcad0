'use client';

import { useEffect } from 'react';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea, dialog *');
}

/** J and K walk through the rows (links marked `data-row`), `/` goes to the search box. */
export function ListKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById('search')?.focus();
        return;
      }
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined) return;
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const here = rows.indexOf(document.activeElement as HTMLElement);
      rows[here < 0 ? 0 : here + step]?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return null;
}
