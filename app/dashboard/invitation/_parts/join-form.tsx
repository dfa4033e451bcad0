'use client';

import { Spinner } from '#app/_ui/icons.tsx';
import { scriptWords } from '#app/_ui/script-words.ts';
import type { PeopleMessages } from '../../_i18n/people-en.ts';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { useFormAction } from '../../_shared/forms/use-form-action.ts';

type Fault = 'gone' | 'weak' | 'unanswered';

function faultWords(fault: Fault, t: PeopleMessages['invitation']): string {
  if (fault === 'gone') return `${t.goneTitle}. ${t.gone}`;
  // They may have joined for all that.
  return fault === 'unanswered' ? scriptWords().unreachable : t.failed;
}

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
  const { answer: fault, isBusy, handlers } = useFormAction<Fault>(action, 'unanswered');
  return (
    <form {...handlers} className="mt-8 grid gap-5">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="email" value={email} />
      <p>
        {t.account} <span className="font-medium">{email}</span>
      </p>
      <div role="alert">
        {fault && <p className="field-error !mt-0">{faultWords(fault, t)}</p>}
        {fault === 'gone' && (
          <a href="/dashboard" className="link mt-2 inline-block py-1">
            {t.signIn}
          </a>
        )}
      </div>
      <BusyButton type="submit" className="button button-primary button-large" isBusy={isBusy}>
        {isBusy && <Spinner />}
        {t.join}
      </BusyButton>
    </form>
  );
}
