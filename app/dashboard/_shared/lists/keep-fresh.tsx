'use client';

import { useRouter } from 'next/navigation';
import type { Environment } from '#server/merchants/types.ts';
import { refreshOrStay } from '../../../_ui/refresh-or-stay.ts';
import { dashboardClient } from '../client.ts';
import { useWatched } from './use-watched.ts';

const LOOK_MS = 5_000;

/**
 * Refreshes the screen by itself: when somebody returns to it and, if something is in progress,
 * every few seconds while somebody seems to look. It stops after another tab has changed the merchant
 * or signed out: it says so once, and nothing changes under the user's hands.
 */
export function KeepFresh({
  environment,
  isGoingOn,
}: {
  environment: Environment;
  isGoingOn: boolean;
}) {
  const router = useRouter();
  useWatched(isGoingOn ? LOOK_MS : null, async (mayChange) => {
    await dashboardClient(environment).account.current.query();
    if (mayChange()) await refreshOrStay(() => router.refresh());
  });
  return null;
}
