'use client';

import { useState } from 'react';
import type { PeopleMessages } from '../_i18n/people-en.ts';
import { dashboardClient } from './client.ts';
import { failureText } from './failure-text.ts';
import { type Begun, SecondFactorSetup } from './second-factor-setup.tsx';

/** Sets up a first second factor; then goes on to a page. */
export function SecondFactorBegin({
  t,
  goTo,
}: {
  t: PeopleMessages['secondFactor'];
  goTo: string;
}) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const begin = async () => {
    try {
      const { security } = dashboardClient('sandbox');
      setBegun(await security.beginSecondFactor.mutate({ proof: null }));
    } catch (error) {
      setFault(failureText(error, t));
    }
  };
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
  return (
    <>
      <button
        type="button"
        className="button button-primary needs-script"
        onClick={() => void begin()}
      >
        {t.setUp}
      </button>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
    </>
  );
}
