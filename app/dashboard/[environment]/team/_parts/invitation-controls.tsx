'use client';

import type { Environment } from '#server/merchants/types.ts';
import type { PeopleMessages } from '../../../_i18n/people-en.ts';
import { useTeamCall } from './use-team-call.ts';

/** A new e-mail for an open invitation, unless e-mails rest, or its end. */
export function InvitationControls({
  environment,
  t,
  invitationId,
  email,
  mayResend,
}: {
  environment: Environment;
  t: PeopleMessages['team'];
  invitationId: string;
  email: string;
  mayResend: boolean;
}) {
  const { call, isBusy } = useTeamCall(environment, t.inviteFaults);
  // Not `disabled` while busy, which would take the focus away.
  const className = 'button button-plain button-compact';
  return (
    <div className="flex flex-wrap gap-2">
      {mayResend && (
        <button
          type="button"
          className={className}
          aria-disabled={isBusy}
          aria-label={`${t.resend}: ${email}`}
          onClick={() =>
            call(async ({ team }) => {
              const { isSent } = await team.resendInvitation.mutate({ invitationId });
              return isSent ? t.sent : t.notSent;
            })
          }
        >
          {t.resend}
        </button>
      )}
      <button
        type="button"
        className={className}
        aria-disabled={isBusy}
        aria-label={`${t.withdraw}: ${email}`}
        onClick={() =>
          call(async ({ team }) => {
            await team.withdrawInvitation.mutate({ invitationId });
            return t.withdrawn;
          })
        }
      >
        {t.withdraw}
      </button>
    </div>
  );
}
