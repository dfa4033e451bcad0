'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { contradictsPage, isUnanswered, messageOf } from '../../../_shared/failure-text.ts';
import { ConfirmDialog, useDialog } from '../../../_shared/forms/confirm-dialog.tsx';
import { ShownOnce } from '../../../_shared/forms/shown-once.tsx';
import { useCall } from '../../../_shared/forms/use-call.ts';
import { showToast } from '../../../_shared/show-toast.ts';

const OVERLAP_HOURS = 24;

/**
 * Makes a new signing secret after a question, and shows it only once.
 *
 * @param leaving the expiring secret, which a further rotation ends at once
 */
export function SecretRotation({
  environment,
  back,
  leaving,
}: {
  environment: Environment;
  back: string;
  leaving: { id: string; signsSince: ReactNode } | null;
}) {
  const t = useTranslations('dashboard.developers');
  const router = useRouter();
  const dialog = useDialog();
  const [secret, setSecret] = useState<string | null>(null);
  const { call, isBusy, fault } = useCall((error) => {
    // The page does not know the secret that is expiring now; the next question names it.
    if (contradictsPage(error)) router.refresh();
    if (!isUnanswered(error)) return messageOf(error);
    showToast(t('secretLost'), 'negative', 'reload');
    return null;
  });

  const rotate = async () => {
    await call(async () => {
      const { developers } = dashboardClient(environment);
      const wish = { overlapHours: OVERLAP_HOURS, endsSecretId: leaving?.id ?? null };
      setSecret((await developers.rotateSecret.mutate(wish)).secret);
      router.refresh();
    });
    dialog.close();
  };

  return (
    <div className="grid justify-items-start gap-4">
      <ConfirmDialog
        dialog={dialog}
        opener={{ className: 'button button-plain', children: t('rotate') }}
        title={t('rotateTitle')}
        confirm={t('rotate')}
        back={back}
        isBusy={isBusy}
        onConfirm={() => void rotate()}
      >
        <p>{t('rotateText')}</p>
        {leaving && (
          <p className="mt-3 text-caution">
            {t('endsNow')} {leaving.signsSince}. {t('endsNowText')}
          </p>
        )}
      </ConfirmDialog>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      {secret && (
        <ShownOnce value={secret} note={t('shownOnce')} copy={t('copy')} copied={t('copied')} />
      )}
    </div>
  );
}
