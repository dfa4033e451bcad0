'use client';

import { TRPCClientError } from '@trpc/client';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import { refreshOrStay } from '../../../_ui/refresh-or-stay.ts';
import { dashboardClient } from '../client.ts';

const LOOK_MS = 5_000;
// A viewer who moves neither key nor pointer for this long is away. Endless refreshing would keep
// an abandoned session from ending.
const WATCHED_MS = 15 * 60_000;

/**
 * Refreshes the screen by itself: when somebody returns to it and, if something is in progress,
 * every few seconds while somebody seems to look. It does not refresh below an open dialog, whose
 * subject might disappear. It stops after another tab has changed the merchant or signed out: it
 * says so once, and nothing changes under the user's hands.
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
        // A missing answer says nothing about the session.
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
