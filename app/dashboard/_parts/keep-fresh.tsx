'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const LOOK_MS = 5_000;
// Nobody looks for longer without a key or a pointer moved; and what reads by itself for ever would
// keep a session from ending that was left open.
const WATCHED_MS = 15 * 60_000;

/**
 * Has the screen read anew by itself: when somebody comes back to it and, where something goes on that
 * they may wait for, every few seconds while somebody seems to look. Not below an open dialog, which
 * what it asks about might leave.
 */
export function KeepFresh({ isGoingOn = false }: { isGoingOn?: boolean }) {
  const router = useRouter();
  useEffect(() => {
    let movedMs = performance.now();
    const moved = () => {
      movedMs = performance.now();
    };
    const refresh = () => {
      const isSeen = document.visibilityState === 'visible';
      if (isSeen && !document.querySelector('dialog[open]')) router.refresh();
    };
    const returned = () => {
      moved();
      refresh();
    };
    const tick = () => {
      if (performance.now() - movedMs < WATCHED_MS) refresh();
    };
    const timer = isGoingOn ? setInterval(tick, LOOK_MS) : undefined;
    document.addEventListener('visibilitychange', returned);
    document.addEventListener('pointermove', moved);
    document.addEventListener('keydown', moved);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', returned);
      document.removeEventListener('pointermove', moved);
      document.removeEventListener('keydown', moved);
    };
  }, [router, isGoingOn]);
  return null;
}
