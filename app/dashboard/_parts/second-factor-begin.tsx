'use client';

import { useState } from 'react';
import { BusyButton } from './busy-button.tsx';
import { dashboardClient } from './client.ts';
import { failureText } from './failure-text.ts';
import { SecondFactorProof, type SecondFactorWords } from './second-factor-proof.tsx';
import { type Begun, SecondFactorSetup } from './second-factor-setup.tsx';
import { useCall } from './use-call.ts';

/** Sets up a first second factor; then goes on to a page. */
export function SecondFactorBegin({
  t,
  hasPassword,
  goTo,
}: {
  t: SecondFactorWords;
  hasPassword: boolean;
  goTo: string;
}) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const { call, isBusy, fault, forget } = useCall((error) => failureText(error, t));
  const begin = (proof: string | null) =>
    call(async () => {
      const { security } = dashboardClient('sandbox');
      setBegun(await security.beginSecondFactor.mutate({ proof }));
    });
  if (begun) {
    return (
      <SecondFactorSetup
        environment="sandbox"
        t={t}
        begun={begun}
        onDone={() => window.location.assign(goTo)}
      />
    );
  }
  if (hasPassword) {
    return (
      <SecondFactorProof
        step="setUp"
        t={t}
        fault={fault}
        isBusy={isBusy}
        onProof={(proof) => void begin(proof)}
        onOwnFault={forget}
      />
    );
  }
  return (
    <>
      <BusyButton
        type="button"
        className="button button-primary needs-script"
        isBusy={isBusy}
        onClick={() => void begin(null)}
      >
        {t.setUp}
      </BusyButton>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
    </>
  );
}
