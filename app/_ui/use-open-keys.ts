'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { pressedKey } from './pressed-key.ts';

/** Whether a key press opens the search: Ctrl or Cmd and K, never a character alone (WCAG 2.1.4). */
function opensSearch(event: KeyboardEvent): boolean {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  return isCommand && pressedKey(event) === 'k';
}

/** Opens a search by its keys, from anywhere on the page; returns the keys' label. */
export function useOpenKeys(open: () => void): string {
  const [keys, setKeys] = useState('Ctrl K');
  const onOpen = useEffectEvent(open);
  useEffect(() => {
    if (/^Mac|^iP/.test(navigator.platform)) setKeys('⌘ K');
    const onKey = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return;
      event.preventDefault();
      onOpen();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return keys;
}
