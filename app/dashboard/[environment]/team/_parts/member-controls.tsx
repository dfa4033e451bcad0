'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment, Role } from '#server/merchants/types.ts';
import type { MemberItem } from '#server/trpc/rows.ts';
import { isolated } from '../../../../_i18n/isolated.ts';
import { ConfirmDialog, useDialog } from '../../../_shared/forms/confirm-dialog.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useTeamCall } from './use-team-call.ts';

type Props = {
  environment: Environment;
  member: MemberItem;
  /** The roles that the viewer may give. */
  roles: readonly Role[];
};

const BUTTON = 'button button-plain button-compact';
const END = 'button button-danger button-compact';

/** The viewer's way to leave the team, whatever their role. */
export function LeaveControl({
  environment,
  email,
}: Pick<Props, 'environment'> & { email: string }) {
  const t = useTranslations('dashboard.team');
  const { call, isBusy } = useTeamCall(environment, 'memberFaults');
  const dialog = useDialog();
  const leave = () =>
    call(
      async ({ team }) => {
        await team.leave.mutate();
        return t('leaveDone');
      },
      (isDone) => {
        dialog.close();
        if (isDone) window.location.assign('/dashboard');
      },
    );
  return (
    <ConfirmDialog
      dialog={dialog}
      opener={{ className: END, 'aria-label': `${t('leave')}: ${email}`, children: t('leave') }}
      title={t('leaveTitle')}
      confirm={t('leave')}
      back={t('back')}
      isBusy={isBusy}
      isDestructive
      onConfirm={leave}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  );
}

/** Changes a member's role or removes a member who is not the viewer, after a question. */
export function MemberControls({
  environment,
  member,
  roles,
  isSelf,
}: Props & { isSelf: boolean }) {
  const t = useTranslations('dashboard.team');
  const { call, isBusy } = useTeamCall(environment, 'memberFaults');
  const roleNames = useTranslations('dashboard.roles');
  const roleDialog = useDialog();
  const removeDialog = useDialog();
  const roleId = useId();
  const [asked, setAsked] = useState<Role | null>(null);
  const chosen = asked ?? member.role;
  const { userId, email } = member;

  const changeRole = () =>
    call(
      async ({ team }) => {
        await team.changeRole.mutate({ userId, role: chosen });
        return t('roleDone');
      },
      () => roleDialog.close(),
    );
  const remove = () =>
    call(
      async ({ team }) => {
        await team.removeMember.mutate({ userId });
        return t('removeDone');
      },
      () => removeDialog.close(),
    );

  return (
    <>
      <ConfirmDialog
        dialog={roleDialog}
        opener={{
          className: BUTTON,
          'aria-label': `${t('change')}: ${email}`,
          children: t('change'),
        }}
        title={t('roleTitle')}
        confirm={t('change')}
        back={t('back')}
        isBusy={isBusy || chosen === member.role}
        onConfirm={changeRole}
        onOpenChange={() => setAsked(null)}
      >
        <FormField
          id={roleId}
          label={`${t('role')} ${email}`}
          hint={`${t('roleText')} ${t(`roleTexts.${chosen}`)}`}
        >
          <select
            id={roleId}
            aria-describedby={`${roleId}-hint`}
            className={INPUT}
            value={chosen}
            onChange={(event) => setAsked(event.target.value as Role)}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {roleNames(role)}
              </option>
            ))}
          </select>
        </FormField>
      </ConfirmDialog>
      {!isSelf && (
        <ConfirmDialog
          dialog={removeDialog}
          opener={{
            className: END,
            'aria-label': `${t('remove')}: ${email}`,
            children: t('remove'),
          }}
          title={t('removeTitle')}
          confirm={t('remove')}
          back={t('back')}
          isBusy={isBusy}
          isDestructive
          onConfirm={remove}
        >
          <p>{`${isolated(email)} ${t('removeText')}`}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
