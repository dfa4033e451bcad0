'use client';

import { useId, useRef, useState } from 'react';
import type { Environment, Role } from '#server/merchants/types.ts';
import type { MemberItem } from '#server/trpc/rows.ts';
import type { PeopleMessages } from '../_i18n/people-en.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FormField, INPUT } from './form-field.tsx';
import { isolated } from './question-text.ts';
import { useTeamCall } from './use-team-call.ts';

type Props = {
  environment: Environment;
  t: PeopleMessages['team'];
  roleNames: Record<Role, string>;
  member: MemberItem;
  /** What the viewer may give. */
  roles: readonly Role[];
  isSelf: boolean;
};

/** Another role for a member, or none at all: both only after saying what it means. */
export function MemberControls({ environment, t, roleNames, member, roles, isSelf }: Props) {
  const { call, isBusy } = useTeamCall(environment, t.memberFaults);
  const roleDialog = useRef<HTMLDialogElement>(null);
  const removeDialog = useRef<HTMLDialogElement>(null);
  const roleId = useId();
  const [asked, setAsked] = useState<Role | null>(null);
  const chosen = asked ?? member.role;
  const { userId, email } = member;
  const away = isSelf ? t.leave : t.remove;

  const changeRole = () =>
    call(
      async ({ team }) => {
        await team.changeRole.mutate({ userId, role: chosen });
        return t.roleDone;
      },
      () => roleDialog.current?.close(),
    );
  const remove = () =>
    call(
      async ({ team }) => {
        await team.removeMember.mutate({ userId });
        return t.removeDone;
      },
      (isDone) => {
        removeDialog.current?.close();
        if (isDone && isSelf) window.location.assign('/dashboard');
      },
    );

  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="badge rounded-full bg-sunk px-2 py-0.5 text-sm">
        {roleNames[member.role]}
      </span>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-plain !min-h-10 !py-1"
          aria-label={`${t.change}: ${email}`}
          onClick={() => roleDialog.current?.showModal()}
        >
          {t.change}
        </button>
        <button
          type="button"
          className="button button-danger !min-h-10 !py-1"
          aria-label={`${away}: ${email}`}
          onClick={() => removeDialog.current?.showModal()}
        >
          {away}
        </button>
      </div>
      <ConfirmDialog
        dialog={roleDialog}
        title={t.roleTitle}
        confirm={t.change}
        back={t.back}
        isBusy={isBusy || chosen === member.role}
        onConfirm={changeRole}
        onBack={() => setAsked(null)}
      >
        <FormField
          id={roleId}
          label={`${t.role} ${email}`}
          hint={`${t.roleText} ${t.roleTexts[chosen]}`}
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
                {roleNames[role]}
              </option>
            ))}
          </select>
        </FormField>
      </ConfirmDialog>
      <ConfirmDialog
        dialog={removeDialog}
        title={isSelf ? t.leaveTitle : t.removeTitle}
        confirm={away}
        back={t.back}
        isBusy={isBusy}
        isDestructive
        onConfirm={remove}
      >
        <p>{isSelf ? t.leaveText : `${isolated(email)} ${t.removeText}`}</p>
      </ConfirmDialog>
    </div>
  );
}
