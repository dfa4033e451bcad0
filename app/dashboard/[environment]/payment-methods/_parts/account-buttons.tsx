'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import { ChevronIcon } from '#app/_ui/icons.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { contradictsPage, messageOf } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { showToast } from '../../../_shared/show-toast.ts';

/** Work that the page shows the outcome of: busy until it does, told where it failed. */
function useWork(): [boolean, (work: () => Promise<void>) => void] {
  const router = useRouter();
  const [isBusy, startWork] = useTransition();
  const start = (work: () => Promise<void>) =>
    startWork(async () => {
      try {
        await work();
        router.refresh();
      } catch (error) {
        if (contradictsPage(error)) router.refresh();
        showToast(messageOf(error), 'negative');
      }
    });
  return [isBusy, start];
}

/** Tries an account at its acquirer. */
export function TestButton({
  environment,
  accountId,
  name,
}: {
  environment: Environment;
  accountId: string;
  name: string;
}) {
  const t = useTranslations('acquirers.actions');
  const [isBusy, start] = useWork();
  const test = async () => {
    const tested = await dashboardClient(environment).acquirers.check.mutate({ accountId });
    if (tested.isProven) return showToast(t('testPassed', { name }));
    const isFaulty = tested.checkFault !== null || tested.callFault !== null;
    showToast(t(isFaulty ? 'testFailed' : 'testNotCalled', { name }), 'negative');
  };
  return (
    <BusyButton
      className="button button-plain"
      aria-label={`${t('test')}: ${name}`}
      isBusy={isBusy}
      onClick={() => start(test)}
    >
      {t('test')}
    </BusyButton>
  );
}

/** Moves an account up or down among the others; who presses on stays on the button. */
export function OrderButtons({
  environment,
  ids,
  id,
  name,
}: {
  environment: Environment;
  ids: readonly string[];
  id: string;
  name: string;
}) {
  const t = useTranslations('acquirers.actions');
  const [isBusy, start] = useWork();
  const [said, say] = useState('');
  const place = ids.indexOf(id);
  const move = async (by: number) => {
    const accountIds = ids.filter((each) => each !== id);
    accountIds.splice(place + by, 0, id);
    await dashboardClient(environment).acquirers.order.mutate({ accountIds });
    say(t('moved', { name, position: String(place + by + 1), count: String(ids.length) }));
  };
  const button = (way: 'up' | 'down', by: number, isEnd: boolean) => (
    <BusyButton
      className="button button-plain !px-2.5 aria-disabled:opacity-50"
      aria-label={`${t(way)}: ${name}`}
      title={t(way)}
      isBusy={isBusy || isEnd}
      onClick={() => start(() => move(by))}
    >
      <ChevronIcon className={way === 'up' ? 'size-5 rotate-180' : 'size-5'} />
    </BusyButton>
  );
  return (
    <div className="flex gap-2">
      {button('up', -1, place === 0)}
      {button('down', 1, place === ids.length - 1)}
      <span aria-live="polite" className="sr-only">
        {said}
      </span>
    </div>
  );
}
