'use client';

import { useEffect, useEffectEvent } from 'react';
import { pressedKey } from '#app/_ui/pressed-key.ts';

/** Here a character is typed, or chooses; a row's own box does neither. */
const TAKES_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [role=dialog]';

/** Moves to the search box, in whatever hides it. */
function enterSearch(): void {
  const search = document.getElementById('search');
  search?.closest<HTMLElement>('[popover]')?.showPopover();
  search?.focus();
}

/** The row of a table or list that an element is in. */
const rowAround = (element: Element | null) => element?.closest('tr, li') ?? null;

/** Presses a row's box. */
function tick(row: Element | null, shiftKey: boolean): void {
  const press = new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey });
  row?.querySelector('[data-select]')?.dispatchEvent(press);
}

/**
 * The keys of a list: J and K move between rows, X selects one, `/` searches, `?` helps.
 *
 * @param isEverywhere whether they work outside rows, which no field is
 */
export function useListKeys({
  isEverywhere,
  onHelp,
}: {
  isEverywhere: boolean;
  onHelp: () => void;
}): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { activeElement } = document;
    if (activeElement?.closest(TAKES_KEYS)) return;
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
    const around = rowAround(activeElement);
    const here = around === null ? -1 : rows.findIndex((row) => rowAround(row) === around);
    if (here < 0 && !isEverywhere) return;
    const key = pressedKey(event);
    const step = { j: 1, k: -1 }[key];
    if (step !== undefined) rows[Math.max(0, here + step)]?.focus();
    else if (key === 'x') tick(around, event.shiftKey);
    else if (key === '/') enterSearch();
    else if (key === '?') onHelp();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
