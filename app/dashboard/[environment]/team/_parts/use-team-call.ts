'use client';

import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import {
  type FailureWords,
  failureText,
  isOutdated,
  isUnanswered,
} from '../../../_shared/failure-text.ts';
import { useNearbyFocus } from '../../../_shared/forms/use-nearby-focus.ts';
import { showToast } from '../../../_shared/show-toast.ts';

type Client = ReturnType<typeof dashboardClient>;

/**
 * Carries out a change of the team, says how it went, and shows the page as it is then; one at a
 * time.
 *
 * @param conflict what a conflict means, where it is not what it mostly is
 */
export function useTeamCall(
  environment: Environment,
  faults: 'inviteFaults' | 'memberFaults',
  conflict?: string,
) {
  const t = useTranslations('dashboard.team');
  const words: FailureWords = {
    wrong: t(`${faults}.wrong`),
    conflict: conflict ?? t(`${faults}.conflict`),
    failed: t(`${faults}.failed`),
    unanswered: t(`${faults}.unanswered`),
  };
  const router = useRouter();
  const [isBusy, startWork] = useTransition();
  const focus = useNearbyFocus();
  const call = (work: (client: Client) => Promise<string>, after?: (isDone: boolean) => void) => {
    if (isBusy) return;
    focus.begin();
    startWork(async () => {
      let isDone = true;
      let mayLoad = true;
      try {
        showToast(await work(dashboardClient(environment)));
      } catch (error) {
        isDone = false;
        // What stands there stays until the reader has read that it is out of date; and where nobody
        // answers, the browser's own page of errors would take its place.
        const isLost = isUnanswered(error);
        mayLoad = !isOutdated(error) && !isLost;
        if (!mayLoad) focus.forget();
        showToast(failureText(error, words), 'negative', isLost ? 'reload' : null);
      }
      after?.(isDone);
      if (mayLoad) router.refresh();
    });
  };
  return { call, isBusy };
}
