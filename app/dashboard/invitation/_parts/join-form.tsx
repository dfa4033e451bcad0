'use client';

import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { useFormAction } from '../../_shared/forms/use-form-action.ts';

type Fault = 'gone' | 'weak' | 'unanswered';

/** For somebody with an account: they need no password here, and sign in unless they have. */
export function JoinForm({
  action,
  token,
  email,
}: {
  action: (before: Fault | null, form: FormData) => Promise<Fault>;
  token: string;
  email: string;
}) {
  const script = useTranslations('script');
  const t = useTranslations('dashboard.invitation');
  const { answer: fault, isBusy, handlers } = useFormAction<Fault>(action, 'unanswered');
  const faultTexts: Record<Fault, string> = {
    gone: `${t('goneTitle')}. ${t('gone')}`,
    weak: t('failed'),
    // They may have joined all the same.
    unanswered: script('unreachable'),
  };
  return (
    <form {...handlers} className="mt-8 grid gap-5">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="email" value={email} />
      <p>
        {t('account')} <span className="font-medium">{email}</span>
      </p>
      <div role="alert">
        {fault && <p className="field-error !mt-0">{faultTexts[fault]}</p>}
        {fault === 'gone' && (
          <a href="/dashboard" className="link mt-2 inline-block py-1">
            {t('signIn')}
          </a>
        )}
      </div>
      <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
        {isBusy && <Spinner />}
        {t('join')}
      </BusyButton>
    </form>
  );
}
