'use client';

import { TRPCClientError } from '@trpc/client';
import { useEffect, useRef } from 'react';

// A viewer who moves neither key nor pointer for this long is away. Endless looking would keep an
// abandoned session from ending.
const WATCHED_MS = 15 * 60_000;

/**
 * Looks for news while somebody seems to watch: when they return to the page and, if `everyMs` is not
 * null, so often. Not below an open dialog, whose subject might disappear. A look that is refused,
 * because another tab has changed the merchant or signed out, ends the regular ones.
 *
 * @param look gets whether the page may still change under the viewer's hands
 */
export function useWatched(
  everyMs: number | null,
  look: (mayChange: () => boolean) => Promise<void>,
): void {
  const newest = useRef(look);
  useEffect(() => {
    newest.current = look;
  });
  useEffect(() => {
    let movedMs = performance.now();
    let isOver = false;
    const moved = () => {
      movedMs = performance.now();
    };
    const mayChange = () =>
      !isOver && document.visibilityState === 'visible' && !document.querySelector('dialog[open]');
    const run = async () => {
      if (!mayChange()) return;
      try {
        await newest.current(mayChange);
      } catch (error) {
        // A missing answer says nothing about the session.
        if (error instanceof TRPCClientError && error.shape) clearInterval(timer);
      }
    };
    const returned = () => {
      moved();
      void run();
    };
    const tick = () => {
      if (performance.now() - movedMs < WATCHED_MS) void run();
    };
    const timer = everyMs === null ? undefined : setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', returned);
    document.addEventListener('pointermove', moved);
    document.addEventListener('keydown', moved);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', returned);
      document.removeEventListener('pointermove', moved);
      document.removeEventListener('keydown', moved);
    };
  }, [everyMs]);
}
