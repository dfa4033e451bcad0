'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import type { PeopleMessages } from '../_i18n/people-en.ts';
import { dashboardClient } from './client.ts';
import { failureText } from './failure-text.ts';
import { LabelledInput } from './labelled-input.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type Begun, SecondFactorSetup } from './second-factor-setup.tsx';

type Words = PeopleMessages['secondFactor'];
type Step = 'renew' | 'turnOff' | 'newCodes';

const TEXTS = { renew: 'renewText', turnOff: 'turnOffText', newCodes: 'newCodesText' } as const;

/** Asks once more who it is, and says what will happen. */
function ProofForm({
  step,
  t,
  fault,
  isBusy,
  onProof,
  onBack,
}: {
  step: Step;
  t: Words;
  fault: string | null;
  isBusy: boolean;
  onProof: (proof: string) => void;
  onBack: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (fault !== null) input.current?.focus();
  }, [fault]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onProof(String(new FormData(event.currentTarget).get('proof')));
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="max-w-prose">{t[TEXTS[step]]}</p>
      <LabelledInput
        id="proof"
        label={t.proof}
        ref={input}
        name="proof"
        type="password"
        required
        maxLength={1024}
        autoComplete="current-password"
        className="max-w-sm"
      />
      <div role="alert">{fault && <p className="field-error !mt-0">{fault}</p>}</div>
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="button button-primary" disabled={isBusy}>
          {t[step]}
        </button>
        <button type="button" className="button button-plain" onClick={onBack}>
          {t.back}
        </button>
      </div>
    </form>
  );
}

/**
 * How it stands, and what can be done about it.
 *
 * @param focusOn what takes the focus when this comes back: the button that led away, or the whole
 */
function Resting({
  t,
  isOn,
  isDemanded,
  isBusy,
  fault,
  focusOn,
  onStep,
  children,
}: {
  t: Words;
  isOn: boolean;
  isDemanded: boolean;
  isBusy: boolean;
  fault: string | null;
  focusOn: Step | 'whole' | null;
  onStep: (step: Step) => void;
  children: ReactNode;
}) {
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
      className="min-w-0"
    >
      <div id="second-factor-state">{children}</div>
      <div className="mt-4 flex flex-wrap gap-2">
        {isOn ? (
          choices.map((each) => (
            <button
              key={each}
              type="button"
              data-step={each}
              className="button button-plain needs-script"
              onClick={() => onStep(each)}
            >
              {t[each]}
            </button>
          ))
        ) : (
          <button
            type="button"
            data-step="renew"
            className="button button-primary needs-script"
            // Not `disabled`, which would take the focus away.
            aria-disabled={isBusy}
            onClick={() => isBusy || onStep('renew')}
          >
            {t.setUp}
          </button>
        )}
      </div>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
    </fieldset>
  );
}

/**
 * One's own second factor: set up, move, turn off, new recovery codes.
 *
 * @param children how it stands, written by the server
 */
export function SecondFactorPanel({
  environment,
  t,
  isOn,
  isDemanded,
  children,
}: {
  environment: Environment;
  t: Words;
  isOn: boolean;
  isDemanded: boolean;
  children: ReactNode;
}) {
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
      if (what === 'renew') setBegun(await security.beginSecondFactor.mutate({ proof }));
      else if (what === 'newCodes') {
        const made = await security.renewRecoveryCodes.mutate({ proof: proof ?? '' });
        setCodes(made.recoveryCodes);
      } else {
        await security.turnOffSecondFactor.mutate({ proof: proof ?? '' });
        rest('whole');
      }
    } catch (error) {
      setFault(failureText(error, t));
    }
    setBusy(false);
  };

  if (begun) {
    return (
      <SecondFactorSetup
        environment={environment}
        t={t}
        begun={begun}
        onDone={() => rest('whole')}
        onBack={() => rest('renew')}
      />
    );
  }
  if (codes) return <RecoveryCodes codes={codes} t={t} onKept={() => rest('whole')} />;
  if (step) {
    return (
      <ProofForm
        step={step}
        t={t}
        fault={fault}
        isBusy={isBusy}
        onProof={(proof) => void work(step, proof)}
        onBack={() => rest(step)}
      />
    );
  }
  return (
    <Resting
      {...{ t, isOn, isDemanded, isBusy, fault, focusOn }}
      onStep={(next) => (isOn ? setStep(next) : void work(next, null))}
    >
      {children}
    </Resting>
  );
}
