'use client';

import { useRef, useState } from 'react';
import type { Environment, Role } from '#server/merchants/types.ts';
import type { MemberItem } from '#server/trpc/rows.ts';
import type { PeopleMessages } from '../_i18n/people-en.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
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
  const [asked, setAsked] = useState<Role | null>(null);
  const chosen = asked ?? member.role;
  const { userId, email } = member;
  const away = isSelf ? t.leave : t.remove;

  const choose = (role: Role) => {
    setAsked(role);
    roleDialog.current?.showModal();
  };
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
      <select
        aria-label={`${t.role} ${email}`}
        className="field-input !min-h-10 !w-auto !py-1.5 !text-base"
        value={chosen}
        aria-disabled={isBusy}
        onChange={(event) => choose(event.target.value as Role)}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {roleNames[role]}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button button-plain !min-h-10 !py-1"
        aria-label={`${away}: ${email}`}
        onClick={() => removeDialog.current?.showModal()}
      >
        {away}
      </button>
      <ConfirmDialog
        dialog={roleDialog}
        title={t.roleTitle}
        confirm={t.change}
        back={t.back}
        isBusy={isBusy}
        onConfirm={changeRole}
        onBack={() => setAsked(null)}
      >
        <p className="font-medium text-ink">
          {email}: {roleNames[member.role]} → {roleNames[chosen]}
        </p>
        <p className="mt-2">
          {t.roleText} {t.roleTexts[chosen]}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        dialog={removeDialog}
        title={isSelf ? t.leaveTitle : t.removeTitle}
        confirm={away}
        back={t.back}
        isBusy={isBusy}
        onConfirm={remove}
      >
        <p>{isSelf ? t.leaveText : `${email} ${t.removeText}`}</p>
      </ConfirmDialog>
    </div>
  );
}
