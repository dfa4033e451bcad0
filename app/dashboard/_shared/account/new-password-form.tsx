'use client';

import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { BusyButton } from '../forms/busy-button.tsx';
import { LabelledInput } from '../forms/labelled-input.tsx';
import { useFaultFocus } from '../forms/use-fault-focus.ts';
import { useFormAction } from '../forms/use-form-action.ts';
import { NewPasswordInput } from './new-password-input.tsx';

type Fault = 'gone' | 'weak' | 'failed';

/** A new password for a named account, so that password managers keep both. */
export function NewPasswordForm({
  action,
  token,
  email,
  gone,
  submit,
}: {
  action: (before: Fault | null, form: FormData) => Promise<Fault>;
  token: string;
  email: string;
  /** The words for a link that no longer works. */
  gone: string;
  submit: string;
}) {
  const t = useTranslations('dashboard.newPassword');
  const { answer: fault, isBusy, handlers } = useFormAction<Fault>(action, 'failed');
  // The fault is null during sending, so that a second refusal for the same reason counts as new.
  const form = useFaultFocus(isBusy ? null : fault);
  return (
    <form ref={form} {...handlers} className="mt-8 grid gap-5">
      <input type="hidden" name="token" value={token} />
      <LabelledInput
        id="email"
        label={t('email')}
        name="email"
        type="email"
        value={email}
        readOnly
        autoComplete="username"
        className="!bg-sunk"
      />
      <NewPasswordInput
        id="password"
        label={t('password')}
        hint={t('hint')}
        faultId={fault === 'weak' ? 'password-fault' : undefined}
      />
      <div id="password-fault" role="alert">
        {fault && <p className="field-error !mt-0">{fault === 'gone' ? gone : t(fault)}</p>}
        {fault === 'gone' && (
          <a href="/dashboard" className="link mt-2 inline-block py-1">
            {t('signIn')}
          </a>
        )}
      </div>
      <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
        {isBusy && <Spinner />}
        {submit}
      </BusyButton>
    </form>
  );
}
