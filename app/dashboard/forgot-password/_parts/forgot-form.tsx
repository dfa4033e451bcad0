'use client';

import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { LabelledInput } from '../../_shared/forms/labelled-input.tsx';
import { useFormAction } from '../../_shared/forms/use-form-action.ts';
import { type Asked, askForEmail } from '../actions.ts';

// The field keeps the typed text.
const FAILED: Asked = { outcome: 'failed', email: '' };

/** An address, with one answer for all of them. */
export function ForgotForm() {
  const t = useTranslations('dashboard.forgot');
  const { answer: asked, isBusy, handlers } = useFormAction(askForEmail, FAILED);
  const fault = asked === null || asked.outcome === 'accepted' ? null : asked.outcome;
  const accepted = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (asked?.outcome === 'accepted') accepted.current?.focus();
  }, [asked]);
  const back = (
    <a href="/dashboard/sign-in" className="link-quiet inline-block py-2">
      {t('back')}
    </a>
  );
  if (asked?.outcome === 'accepted') {
    return (
      <div className="mt-8 grid gap-5">
        {/* The answer takes the focus, because the form that had it is gone. */}
        <p
          ref={accepted}
          tabIndex={-1}
          role="status"
          className="rounded-xl border border-line bg-surface p-4"
        >
          {t('accepted')}
        </p>
        {back}
      </div>
    );
  }
  return (
    <form {...handlers} className="mt-8 grid gap-5">
      <LabelledInput
        id="email"
        label={t('email')}
        name="email"
        defaultValue={asked?.email}
        type="email"
        autoComplete="username"
        required
        maxLength={254}
      />
      <div role="alert">{fault && <p className="field-error !mt-0">{t(fault)}</p>}</div>
      <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
        {isBusy && <Spinner />}
        {t('submit')}
      </BusyButton>
      <div>{back}</div>
    </form>
  );
}
