'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import {
  SecondFactorProof,
  useSecondFactorFaults,
} from '../../_shared/account/second-factor-proof.tsx';
import { type Begun, SecondFactorSetup } from '../../_shared/account/second-factor-setup.tsx';
import { dashboardClient } from '../../_shared/client.ts';
import { failureText } from '../../_shared/failure-text.ts';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { useCall } from '../../_shared/forms/use-call.ts';

/** Sets up a first second factor; then continues to a page. */
export function SecondFactorBegin({ hasPassword, goTo }: { hasPassword: boolean; goTo: string }) {
  const t = useTranslations('dashboard.secondFactor');
  const faults = useSecondFactorFaults();
  const [begun, setBegun] = useState<Begun | null>(null);
  const { call, isBusy, fault, forget } = useCall((error) => failureText(error, faults));
  const begin = (proof: string | null) =>
    call(async () => {
      const { security } = dashboardClient('sandbox');
      setBegun(await security.beginSecondFactor.mutate({ proof }));
    });
  if (begun) {
    return (
      <SecondFactorSetup
        environment="sandbox"
        begun={begun}
        onDone={() => window.location.assign(goTo)}
      />
    );
  }
  if (hasPassword) {
    return (
      <SecondFactorProof
        step="setUp"
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
        {t('setUp')}
      </BusyButton>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
    </>
  );
}
