'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { QrCode } from '#server/lib/qr-code.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { NoticesView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../../../_shared/client.ts';
import { BusyButton } from '../../../../_shared/forms/busy-button.tsx';
import { useCall } from '../../../../_shared/forms/use-call.ts';
import { KeepFresh } from '../../../../_shared/lists/keep-fresh.tsx';
import { showToast } from '../../../../_shared/show-toast.ts';

/** The link that connects whoever follows it. */
function LinkToFollow({ url, qr }: { url: string; qr: QrCode }) {
  const t = useTranslations('dashboard.notifications');
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_minmax(0,1fr)]">
      <svg
        role="img"
        aria-label={t('qr')}
        viewBox={`0 0 ${qr.side} ${qr.side}`}
        shapeRendering="crispEdges"
        className="size-40 rounded-lg"
      >
        <path fill="#fff" d={`M0 0h${qr.side}v${qr.side}H0z`} />
        <path fill="#000" d={qr.path} />
      </svg>
      <div className="grid content-start justify-items-start gap-3">
        <p className="max-w-prose">{t('follow')}</p>
        <a href={url} target="_blank" rel="noreferrer" className="button button-primary">
          {t('openTelegram')}
        </a>
      </div>
    </div>
  );
}

/** Connects and disconnects one's Telegram; the page notices by itself once the bot was started. */
export function TelegramPanel({
  environment,
  telegram: { chatName, isConnected, isBlocked },
}: {
  environment: Environment;
  telegram: NoticesView['telegram'];
}) {
  const t = useTranslations('dashboard.notifications');
  const router = useRouter();
  const [begun, setBegun] = useState<{ url: string; qr: QrCode } | null>(null);
  const { call, isBusy, fault } = useCall();
  const { notices } = dashboardClient(environment);

  const connect = () =>
    void call(async () => {
      setBegun(await notices.connectTelegram.mutate());
    });
  const disconnect = () =>
    void call(async () => {
      await notices.disconnectTelegram.mutate();
      setBegun(null);
      showToast(t('disconnected'));
      router.refresh();
    });

  const state = chatName ? t('connected', { name: chatName }) : t('connectedNameless');
  return (
    <div className="grid justify-items-start gap-4 text-[0.9375rem]">
      {isConnected ? (
        <>
          <p role="status">{state}</p>
          <BusyButton className="button button-plain" isBusy={isBusy} onClick={disconnect}>
            {t('disconnect')}
          </BusyButton>
        </>
      ) : (
        <>
          <p className="max-w-prose text-muted">{isBlocked ? t('blocked') : t('notConnected')}</p>
          {begun ? (
            <>
              <KeepFresh environment={environment} isGoingOn />
              <LinkToFollow {...begun} />
            </>
          ) : (
            <BusyButton className="button button-primary" isBusy={isBusy} onClick={connect}>
              {t('connect')}
            </BusyButton>
          )}
        </>
      )}
      <div role="alert">{fault && <p className="field-error !mt-0">{fault}</p>}</div>
    </div>
  );
}
