'use client';

import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { SignOutButton } from '../../_shared/account/sign-out-button.tsx';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { LabelledInput } from '../../_shared/forms/labelled-input.tsx';
import { useFaultFocus } from '../../_shared/forms/use-fault-focus.ts';
import { useFormAction } from '../../_shared/forms/use-form-action.ts';
import { type CodeFault, enterCode } from '../actions.ts';

/** The second step of a sign-in: a code from the app, or a recovery code. */
export function CodeForm({ returnPath }: { returnPath: string }) {
  const t = useTranslations('dashboard.codeStep');
  const { answer: fault, isBusy, handlers } = useFormAction<CodeFault>(enterCode, 'failed');
  const input = useRef<HTMLInputElement>(null);
  const onward = useRef<HTMLAnchorElement>(null);
  useEffect(() => input.current?.focus(), []);
  // The same fault is announced again.
  const told = isBusy ? null : fault;
  const form = useFaultFocus(told);
  useEffect(() => {
    // The user types over a wrong code.
    if (told !== null && told !== 'failed') input.current?.select();
  }, [told]);
  useEffect(() => {
    if (fault === 'gone') onward.current?.focus();
  }, [fault]);

  if (fault === 'gone') {
    return (
      <div className="mt-8">
        <p role="alert" className="field-error !mt-0">
          {t('gone')}
        </p>
        {/* The link leads to the sign-in and back if no session is open. */}
        <a ref={onward} href={returnPath} className="button button-primary button-large mt-5">
          {t('submit')}
        </a>
      </div>
    );
  }
  return (
    <>
      <form ref={form} {...handlers} className="mt-8 grid gap-5">
        <input type="hidden" name="next" value={returnPath} />
        <LabelledInput
          id="code"
          label={t('code')}
          hint={t('hint')}
          faultId={told && told !== 'failed' ? 'code-fault' : undefined}
          ref={input}
          name="code"
          required
          maxLength={40}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div id="code-fault" role="alert">
          {fault && <p className="field-error">{t(fault)}</p>}
        </div>
        <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
          {isBusy && <Spinner />}
          {t('submit')}
        </BusyButton>
      </form>
      <div className="-mx-3 mt-5">
        <SignOutButton label={t('other')} className="link-quiet mx-3 py-1 text-left" />
      </div>
    </>
  );
}
