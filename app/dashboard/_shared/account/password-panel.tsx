'use client';

import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../client.ts';
import { failureText, refusedFor } from '../failure-text.ts';
import { BusyButton } from '../forms/busy-button.tsx';
import { emptySent } from '../forms/empty-sent.ts';
import { useCall } from '../forms/use-call.ts';
import { useFaultFocus } from '../forms/use-fault-focus.ts';
import { showToast } from '../show-toast.ts';
import { NewPasswordInput } from './new-password-input.tsx';
import { PasswordInput } from './password-input.tsx';

/** Whether the new password is unfit, not the proof. */
function isWeak(error: unknown): boolean {
  const code = refusedFor(error);
  return code === 'password_length' || code === 'password_guessable';
}

/** Changes the person's password after asking for the present one. */
export function PasswordPanel({ environment }: { environment: Environment }) {
  const t = useTranslations('dashboard.password');
  const router = useRouter();
  const { call, isBusy, fault, forget } = useCall((error) =>
    isWeak(error)
      ? t('conflict')
      : failureText(error, {
          wrong: t('wrong'),
          conflict: t('conflict'),
          failed: t('failed'),
          unanswered: t('unanswered'),
        }),
  );
  const form = useFaultFocus(fault);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = event.currentTarget;
    const fields = new FormData(filled);
    void call(async () => {
      await dashboardClient(environment).security.changePassword.mutate({
        proof: String(fields.get('current')),
        password: String(fields.get('password')),
      });
      emptySent(filled, fields);
      showToast(t('done'));
      // The ended sessions leave the list.
      router.refresh();
    });
  };
  return (
    <ScriptForm ref={form} className="grid gap-4" onSubmit={submit} onInvalidCapture={forget}>
      <PasswordInput
        id="current-password"
        label={t('current')}
        faultId={fault === t('wrong') ? 'password-fault' : undefined}
        name="current"
        required
        maxLength={1024}
        autoComplete="current-password"
        className="max-w-sm"
      />
      <NewPasswordInput
        id="new-password"
        label={t('chosen')}
        hint={t('hint')}
        faultId={fault === t('conflict') ? 'password-fault' : undefined}
        className="max-w-sm"
      />
      <div id="password-fault" role="alert">
        {fault && <p className="field-error !mt-0">{fault}</p>}
      </div>
      <BusyButton
        type="submit"
        className="button button-plain needs-script justify-self-start"
        isBusy={isBusy}
      >
        {t('submit')}
      </BusyButton>
    </ScriptForm>
  );
}
