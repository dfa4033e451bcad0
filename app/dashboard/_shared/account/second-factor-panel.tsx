'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../client.ts';
import { failureText } from '../failure-text.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import {
  SecondFactorProof,
  type SecondFactorStep as Step,
  useSecondFactorFaults,
} from './second-factor-proof.tsx';
import { type Begun, SecondFactorSetup } from './second-factor-setup.tsx';

/**
 * The second factor's state, and the possible actions.
 *
 * @param focusOn takes the focus when this comes back: the button that led away, or the whole
 */
function Resting({
  isOn,
  isDemanded,
  isBusy,
  fault,
  focusOn,
  onStep,
  children,
}: {
  isOn: boolean;
  isDemanded: boolean;
  isBusy: boolean;
  fault: string | null;
  focusOn: Step | 'whole' | null;
  onStep: (step: Step) => void;
  children: ReactNode;
}) {
  const t = useTranslations('dashboard.secondFactor');
  const whole = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (focusOn === null) return;
    const button = whole.current?.querySelector<HTMLElement>(`[data-step="${focusOn}"]`);
    (button ?? whole.current)?.focus();
  }, [focusOn]);
  const choices: Step[] = isDemanded ? ['renew', 'newCodes'] : ['renew', 'newCodes', 'turnOff'];
  return (
    <fieldset
      ref={whole}
      tabIndex={-1}
      aria-labelledby="second-factor"
      aria-describedby="second-factor-state"
      className="-mx-3 -my-1.5 min-w-0 rounded-xl px-3 py-1.5"
    >
      <div id="second-factor-state">{children}</div>
      <div className="wrap-anywhere mt-4 flex flex-wrap gap-2">
        {isOn ? (
          choices.map((each) => (
            <button
              type="button"
              key={each}
              data-step={each}
              className="button button-plain needs-script"
              onClick={() => onStep(each)}
            >
              {t(each)}
            </button>
          ))
        ) : (
          <button
            type="button"
            data-step="setUp"
            className="button button-primary needs-script"
            // `disabled` would take the focus away.
            aria-disabled={isBusy}
            onClick={() => isBusy || onStep('setUp')}
          >
            {t('setUp')}
          </button>
        )}
      </div>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
    </fieldset>
  );
}

/**
 * The person's own second factor: set up, move, turn off, new recovery codes.
 *
 * @param children its state, rendered by the server
 */
export function SecondFactorPanel({
  environment,
  isOn,
  isDemanded,
  hasPassword,
  children,
}: {
  environment: Environment;
  isOn: boolean;
  isDemanded: boolean;
  hasPassword: boolean;
  children: ReactNode;
}) {
  const faults = useSecondFactorFaults();
  const router = useRouter();
  const [step, setStep] = useState<Step | null>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [focusOn, setFocusOn] = useState<Step | 'whole' | null>(null);

  const rest = (focus: Step | 'whole') => {
    setFocusOn(focus);
    setStep(null);
    setBegun(null);
    setCodes(null);
    setFault(null);
    router.refresh();
  };
  const work = async (what: Step, proof: string | null) => {
    const { security } = dashboardClient(environment);
    setBusy(true);
    setFault(null);
    try {
      if (what === 'setUp' || what === 'renew') {
        setBegun(await security.beginSecondFactor.mutate({ proof }));
      } else if (what === 'newCodes') {
        const made = await security.renewRecoveryCodes.mutate({ proof: proof ?? '' });
        setCodes(made.recoveryCodes);
      } else {
        await security.turnOffSecondFactor.mutate({ proof: proof ?? '' });
        rest('whole');
      }
    } catch (error) {
      setFault(failureText(error, faults));
    }
    setBusy(false);
  };

  if (begun) {
    return (
      <SecondFactorSetup
        environment={environment}
        begun={begun}
        onDone={() => rest('whole')}
        onBack={() => rest(isOn ? 'renew' : 'setUp')}
      />
    );
  }
  if (codes) return <RecoveryCodes codes={codes} onKept={() => rest('whole')} />;
  if (step) {
    return (
      <SecondFactorProof
        step={step}
        fault={fault}
        isBusy={isBusy}
        onProof={(proof) => void work(step, proof)}
        onOwnFault={() => setFault(null)}
        onBack={() => rest(step)}
      />
    );
  }
  return (
    <Resting
      {...{ isOn, isDemanded, isBusy, fault, focusOn }}
      onStep={(next) => (isOn || hasPassword ? setStep(next) : void work(next, null))}
    >
      {children}
    </Resting>
  );
}
