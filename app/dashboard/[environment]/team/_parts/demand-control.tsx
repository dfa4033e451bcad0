'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { ConfirmDialog, useDialog } from '../../../_shared/forms/confirm-dialog.tsx';
import { useTeamCall } from './use-team-call.ts';

/**
 * Demands a second factor of everybody, or no longer.
 *
 * @param children the consequences, in the question
 */
export function DemandControl({
  environment,
  isDemanded,
  children,
}: {
  environment: Environment;
  isDemanded: boolean;
  children: ReactNode;
}) {
  const t = useTranslations('dashboard.team');
  const { call, isBusy } = useTeamCall(environment, 'memberFaults', t('demandNone'));
  const dialog = useDialog();
  const label = isDemanded ? t('demandTurnOff') : t('demandTurnOn');
  const change = () =>
    call(
      async ({ team }) => {
        await team.demandSecondFactor.mutate({ isDemanded: !isDemanded });
        return isDemanded ? t('releaseDone') : t('demandDone');
      },
      () => dialog.close(),
    );
  return (
    <ConfirmDialog
      dialog={dialog}
      opener={{ className: 'button button-plain needs-script', children: label }}
      title={isDemanded ? t('releaseTitle') : t('demandTitle')}
      confirm={label}
      back={t('back')}
      isBusy={isBusy}
      onConfirm={change}
    >
      {children}
    </ConfirmDialog>
  );
}
