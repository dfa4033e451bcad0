'use client';

import { TRPCClientError } from '@trpc/client';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import { refreshOrStay } from '../../../_ui/refresh-or-stay.ts';
import { dashboardClient } from '../client.ts';

const LOOK_MS = 5_000;
// Nobody looks for longer without a key or a pointer moved; and what reads by itself for ever would
// keep a session from ending that was left open.
const WATCHED_MS = 15 * 60_000;

/**
 * Has the screen read anew by itself: when somebody comes back to it and, where something goes on that
 * they may wait for, every few seconds while somebody seems to look. Not below an open dialog, which
 * what it asks about might leave; nor where another tab has changed the merchant or signed out: that is
 * said, once, and nothing changes under anybody's hands.
 */
export function KeepFresh({
  environment,
  isGoingOn,
}: {
  environment: Environment;
  isGoingOn: boolean;
}) {
  const router = useRouter();
  useEffect(() => {
    let movedMs = performance.now();
    const moved = () => {
      movedMs = performance.now();
    };
    const mayRefresh = () =>
      document.visibilityState === 'visible' && !document.querySelector('dialog[open]');
    let isOver = false;
    const refresh = async () => {
      if (!mayRefresh()) return;
      try {
        await dashboardClient(environment).account.current.query();
      } catch (error) {
        // No answer says nothing of the session.
        if (error instanceof TRPCClientError && error.shape) clearInterval(timer);
        return;
      }
      if (!isOver && mayRefresh()) await refreshOrStay(() => router.refresh());
    };
    const returned = () => {
      moved();
      void refresh();
    };
    const tick = () => {
      if (performance.now() - movedMs < WATCHED_MS) void refresh();
    };
    const timer = isGoingOn ? setInterval(tick, LOOK_MS) : undefined;
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
  }, [router, environment, isGoingOn]);
  return null;
}
