'use client';

import { useActionState } from 'react';
import { Spinner } from '#app/_ui/icons.tsx';
import type { PeopleMessages } from '../_i18n/people-en.ts';
import { useFaultFocus } from './use-fault-focus.ts';

type Fault = 'gone' | 'weak' | 'failed';

/** For somebody who has an account: they need no password here, and sign in unless they are. */
export function JoinForm({
  action,
  token,
  email,
  t,
}: {
  action: (before: Fault | null, form: FormData) => Promise<Fault>;
  token: string;
  email: string;
  t: PeopleMessages['invitation'];
}) {
  const [fault, send, isBusy] = useActionState(action, null);
  const form = useFaultFocus(isBusy ? null : fault);
  return (
    <form ref={form} action={send} className="mt-8 grid gap-5">
      <input type="hidden" name="token" value={token} />
      <p>
        {t.account} <span className="font-medium">{email}</span>
      </p>
      <div role="alert">
        {fault && <p className="field-error !mt-0">{fault === 'gone' ? t.gone : t.failed}</p>}
        {fault === 'gone' && (
          <a href="/dashboard" className="link mt-2 inline-block py-1">
            {t.signIn}
          </a>
        )}
      </div>
      <button type="submit" className="button button-primary button-large" disabled={isBusy}>
        {isBusy && <Spinner />}
        {t.join}
      </button>
    </form>
  );
}
