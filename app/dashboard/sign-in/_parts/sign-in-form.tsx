'use client';

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { PasswordInput } from '../../_shared/account/password-input.tsx';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { LabelledInput } from '../../_shared/forms/labelled-input.tsx';
import { askNextAuth } from './ask-next-auth.ts';

type Fault = 'refused' | 'throttled' | 'needsCookies' | 'failed';

async function trySignIn(form: FormData): Promise<Fault | null> {
  try {
    const url = await askNextAuth('callback/credentials', {
      email: String(form.get('email')),
      password: String(form.get('password')),
      // The address names no `error`, unlike one that the user may have come from.
      callbackUrl: '/dashboard',
    });
    if (url === null) return 'needsCookies';
    const error = url.searchParams.get('error');
    if (error === null || error === 'throttled') return error;
    return error === 'CredentialsSignin' ? 'refused' : 'failed';
  } catch {
    return 'failed';
  }
}

/** Address and password; one sentence tells any fault and gives nothing away. */
export function SignInForm({
  email,
  returnPath,
  children,
}: {
  /** The account whose password has just been set here, `''` if unknown. */ email: string;
  returnPath: string;
  /** The message on arrival; the result of the first try replaces it. */
  children: ReactNode;
}) {
  const t = useTranslations('dashboard.signIn');
  const [fault, setFault] = useState<Fault | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  // The password is mostly the wrong one of the two, and an invisible text is typed over.
  useEffect(() => {
    if (fault === 'refused') password.current?.select();
  }, [fault]);
  useEffect(() => {
    if (email !== '') password.current?.focus();
  }, [email]);
  // The message does not tell which of the two was wrong.
  const faultId = fault === 'refused' ? 'sign-in-fault' : undefined;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    const result = await trySignIn(new FormData(event.currentTarget));
    // A full load takes no earlier session's page from memory. It replaces the form in the history,
    // because nobody wants to go back to it.
    if (result === null) return window.location.replace(returnPath);
    setFault(result);
    setFailed(true);
    setBusy(false);
  };

  return (
    <>
      {!hasFailed && children}
      <ScriptForm
        className="mt-8 grid gap-5"
        onSubmit={(event) => void submit(event)}
        // A field's own fault is newer.
        onInvalidCapture={() => setFault(null)}
      >
        <LabelledInput
          id="email"
          label={t('email')}
          faultId={faultId}
          name="email"
          defaultValue={email}
          type="email"
          autoComplete="username"
          required
          maxLength={254}
        />
        <PasswordInput
          id="password"
          label={t('password')}
          ref={password}
          faultId={faultId}
          name="password"
          autoComplete="current-password"
          required
          maxLength={1024}
        />
        <div id="sign-in-fault" role="alert">
          {fault && <p className="field-error">{t(fault)}</p>}
        </div>
        <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
          {isBusy && <Spinner />}
          {isBusy ? t('busy') : t('submit')}
        </BusyButton>
      </ScriptForm>
    </>
  );
}
