'use client';

import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { FailureWords } from '../failure-text.ts';
import { BusyButton } from '../forms/busy-button.tsx';
import { PasswordInput } from './password-input.tsx';

export type SecondFactorStep = 'setUp' | 'renew' | 'turnOff' | 'newCodes';

const TEXTS = {
  setUp: 'setUpText',
  renew: 'renewText',
  turnOff: 'turnOffText',
  newCodes: 'newCodesText',
} as const;

/** The words for a refused call about the second factor. */
export function useSecondFactorFaults(): FailureWords {
  const t = useTranslations('dashboard.secondFactor');
  return {
    wrong: t('wrong'),
    conflict: t('conflict'),
    forbidden: t('forbidden'),
    failed: t('failed'),
  };
}

/** Asks for a proof of identity again, and says why or what will happen. */
export function SecondFactorProof({
  step,
  fault,
  isBusy,
  onProof,
  onOwnFault,
  onBack,
}: {
  step: SecondFactorStep;
  fault: string | null;
  isBusy: boolean;
  onProof: (proof: string) => void;
  /** The field reports its own fault; `fault` is older. */
  onOwnFault: () => void;
  onBack?: () => void;
}) {
  const t = useTranslations('dashboard.secondFactor');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (fault !== null) input.current?.focus();
  }, [fault]);
  // This step asks only for a password, which is never used up.
  const told = step === 'setUp' && fault === t('wrong') ? t('wrongPassword') : fault;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onProof(String(new FormData(event.currentTarget).get('proof')));
  };
  return (
    <ScriptForm className="grid gap-4" onSubmit={submit} onInvalidCapture={onOwnFault}>
      <p className="max-w-prose">{t(TEXTS[step])}</p>
      <PasswordInput
        id="proof"
        faultId={fault === t('wrong') ? 'proof-fault' : undefined}
        label={step === 'setUp' ? t('password') : t('proof')}
        ref={input}
        name="proof"
        required
        maxLength={1024}
        autoComplete="current-password"
        className="max-w-sm"
      />
      <div id="proof-fault" role="alert">
        {told && <p className="field-error !mt-0">{told}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <BusyButton type="submit" className="button button-primary needs-script" isBusy={isBusy}>
          {t(step)}
        </BusyButton>
        {onBack && (
          <button type="button" className="button button-plain" onClick={onBack}>
            {t('back')}
          </button>
        )}
      </div>
    </ScriptForm>
  );
}
