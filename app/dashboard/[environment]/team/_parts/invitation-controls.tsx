'use client';

import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { useTeamCall } from './use-team-call.ts';

/** A new e-mail for an open invitation, unless e-mails are paused, or its withdrawal. */
export function InvitationControls({
  environment,
  invitationId,
  email,
  mayResend,
}: {
  environment: Environment;
  invitationId: string;
  email: string;
  mayResend: boolean;
}) {
  const t = useTranslations('dashboard.team');
  const { call, isBusy } = useTeamCall(environment, 'inviteFaults');
  // `disabled` would take the focus away while busy.
  const className = 'button button-plain button-compact';
  return (
    <div className="flex flex-wrap gap-2">
      {mayResend && (
        <button
          type="button"
          className={className}
          aria-disabled={isBusy}
          aria-label={`${t('resend')}: ${email}`}
          onClick={() =>
            call(async ({ team }) => {
              const { isSent } = await team.resendInvitation.mutate({ invitationId });
              return isSent ? t('sent') : t('notSent');
            })
          }
        >
          {t('resend')}
        </button>
      )}
      <button
        type="button"
        className={className}
        aria-disabled={isBusy}
        aria-label={`${t('withdraw')}: ${email}`}
        onClick={() =>
          call(async ({ team }) => {
            await team.withdrawInvitation.mutate({ invitationId });
            return t('withdrawn');
          })
        }
      >
        {t('withdraw')}
      </button>
    </div>
  );
}
