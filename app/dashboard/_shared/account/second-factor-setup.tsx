'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../client.ts';
import { CopyButton } from '../copy-button.tsx';
import { failureText } from '../failure-text.ts';
import { BusyButton } from '../forms/busy-button.tsx';
import { LabelledInput } from '../forms/labelled-input.tsx';
import { useCall } from '../forms/use-call.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useSecondFactorFaults } from './second-factor-proof.tsx';

export type Begun = { secret: string; address: string; qr: { path: string; side: number } };

/** The key in groups of four, as apps show it. */
function grouped(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}

/** Shows an authenticator app the key, asks for its first code, and hands out recovery codes. */
export function SecondFactorSetup({
  environment,
  begun,
  onDone,
  onBack,
}: {
  environment: Environment;
  begun: Begun;
  onDone: () => void;
  onBack?: () => void;
}) {
  const t = useTranslations('dashboard.secondFactor');
  const faults = useSecondFactorFaults();
  const [codes, setCodes] = useState<string[] | null>(null);
  const { call, isBusy, fault, forget } = useCall((error) =>
    failureText(error, { ...faults, conflict: t('setupOver') }),
  );
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (fault !== null) input.current?.focus();
  }, [fault]);

  const confirm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void call(async () => {
      const { security } = dashboardClient(environment);
      const code = input.current?.value ?? '';
      setCodes((await security.confirmSecondFactor.mutate({ code })).recoveryCodes);
    });
  };

  if (codes) return <RecoveryCodes codes={codes} onKept={onDone} />;
  const { qr, secret, address } = begun;
  return (
    <div className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)]">
      <svg
        role="img"
        aria-label={t('qr')}
        viewBox={`0 0 ${qr.side} ${qr.side}`}
        shapeRendering="crispEdges"
        className="size-48 rounded-lg"
      >
        <path fill="#fff" d={`M0 0h${qr.side}v${qr.side}H0z`} />
        <path fill="#000" d={qr.path} />
      </svg>
      <ScriptForm className="grid content-start gap-4" onSubmit={confirm} onInvalidCapture={forget}>
        <p className="max-w-prose text-[0.9375rem]">{t('scan')}</p>
        <div className="text-[0.9375rem]">
          <p className="text-muted text-sm">{t('key')}</p>
          <code className="break-words font-mono text-sm">{grouped(secret)}</code>
          <div className="mt-2 flex flex-wrap gap-2">
            <CopyButton text={secret} label={t('copyKey')} done={t('copied')} />
            {/* A phone cannot scan its own screen. */}
            <a href={address} className="button button-plain sm:hidden">
              {t('openApp')}
            </a>
          </div>
        </div>
        <LabelledInput
          id="first-code"
          label={t('code')}
          ref={input}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          className="max-w-48"
        />
        <div role="alert">
          {fault && <p className="field-error !mt-0">{fault}</p>}
          {fault === t('setupOver') && (
            // The link also works while it is demanded: the account page opens once it is on.
            <a href={`/dashboard/${environment}/account`} className="link mt-2 inline-block py-1">
              {t('load')}
            </a>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
            {t('confirm')}
          </BusyButton>
          {onBack && (
            <button type="button" className="button button-plain" onClick={onBack}>
              {t('back')}
            </button>
          )}
        </div>
      </ScriptForm>
    </div>
  );
}
