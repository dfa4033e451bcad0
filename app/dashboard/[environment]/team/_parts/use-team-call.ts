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
 * Carries out a change of the team, tells the outcome, and refreshes the page; one at a time.
 *
 * @param conflict the words for a conflict, if the usual ones are wrong
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
        // The page stays until the reader has seen that it is out of date. A refresh without a
        // reachable server would replace it by the browser's own error page.
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
