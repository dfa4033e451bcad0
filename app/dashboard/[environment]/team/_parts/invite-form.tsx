'use client';

import { type FormEvent, useId } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import type { Environment, Role } from '#server/merchants/types.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { emptySent } from '../../../_shared/forms/empty-sent.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useTeamCall } from './use-team-call.ts';

/** Invites somebody to the team by e-mail. */
export function InviteForm({
  environment,
  roles,
  languages,
}: {
  environment: Environment;
  roles: readonly Role[];
  /** The languages of the letter. */
  languages: readonly Locale[];
}) {
  const t = useTranslations('dashboard.team');
  const roleNames = useTranslations('dashboard.roles');
  const { call, isBusy } = useTeamCall(environment, 'inviteFaults');
  const locale = useLocale();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const wish = {
      email: String(fields.get('email')),
      role: String(fields.get('role')) as Role,
      locale: String(fields.get('locale')) as Locale,
    };
    call(
      async ({ team }) => ((await team.invite.mutate(wish)).isSent ? t('sent') : t('notSent')),
      (isDone) => isDone && emptySent(form, fields),
    );
  };
  return (
    <ScriptForm className="form-row" onSubmit={submit}>
      <FormField id={`${id}email`} label={t('email')} className="min-w-0 flex-[1_1_15rem]">
        <CheckedInput
          id={`${id}email`}
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
      </FormField>
      <FormField id={`${id}role`} label={t('inviteRole')}>
        <select id={`${id}role`} name="role" defaultValue="support" className={INPUT}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {roleNames(role)}
            </option>
          ))}
        </select>
      </FormField>
      <FormField id={`${id}locale`} label={t('language')}>
        <select id={`${id}locale`} name="locale" defaultValue={locale} className={INPUT}>
          {languages.map((value) => (
            <option key={value} value={value} lang={value}>
              {propertiesOf(value).name}
            </option>
          ))}
        </select>
      </FormField>
      <BusyButton type="submit" className="button button-primary button-compact" isBusy={isBusy}>
        {t('send')}
      </BusyButton>
    </ScriptForm>
  );
}
