'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { DEFAULT_SCOPES, type Environment, SCOPES, type Scope } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { isUnanswered, messageOf } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { emptySent } from '../../../_shared/forms/empty-sent.ts';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { ShownOnce } from '../../../_shared/forms/shown-once.tsx';
import { useCall } from '../../../_shared/forms/use-call.ts';
import { showToast } from '../../../_shared/show-toast.ts';
import { scopeWord } from './token-words.ts';

const DAYS = [30, 90, 365];
const NAME_ID = 'token-name';
const NETWORKS_ID = 'token-networks';

/** The scopes of a new token; without a choice all but refunds. */
function Scopes({
  chosen,
  onChange,
  mayRefund,
}: {
  chosen: readonly Scope[];
  onChange: (chosen: Scope[]) => void;
  mayRefund: boolean;
}) {
  const t = useTranslations('dashboard.developers.scopes');
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium text-muted text-sm">{t('title')}</legend>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
        {SCOPES.map((scope) => (
          <li key={scope} className="min-w-0">
            <label className="inline-flex max-w-full items-start gap-2 text-[0.9375rem]">
              <input
                type="checkbox"
                className="mt-1 size-4 shrink-0 accent-accent"
                checked={chosen.includes(scope)}
                disabled={scope === 'refunds.write' && !mayRefund}
                onChange={({ target: { checked } }) =>
                  onChange(
                    SCOPES.filter((each) => (each === scope ? checked : chosen.includes(each))),
                  )
                }
              />
              <span className="min-w-0">{t(scopeWord(scope))}</span>
            </label>
          </li>
        ))}
      </ul>
      {!mayRefund && <p className="mt-1 text-muted text-sm">{t('notYours')}</p>}
    </fieldset>
  );
}

/** Makes a token and shows its text only once. */
export function TokenForm({
  environment,
  mayRefund,
}: {
  environment: Environment;
  /** Only those who may refund give a token that scope. */
  mayRefund: boolean;
}) {
  const t = useTranslations('dashboard.developers');
  const router = useRouter();
  const [token, setToken] = useState<string | null>(null);
  const [scopes, setScopes] = useState<readonly Scope[]>(DEFAULT_SCOPES);
  const [isEmpty, setEmpty] = useState(false);
  // The field takes the focus for a user of the palette; Next only scrolls to it.
  useEffect(() => {
    if (window.location.hash === `#${NAME_ID}`) document.getElementById(NAME_ID)?.focus();
  }, []);
  const { call, isBusy, fault } = useCall((error) => {
    if (!isUnanswered(error)) return messageOf(error);
    showToast(t('tokenLost'), 'negative', 'reload');
    return null;
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const days = Number(fields.get('days'));
    setEmpty(scopes.length === 0);
    if (scopes.length === 0) return;
    void call(async () => {
      const made = await dashboardClient(environment).developers.createToken.mutate({
        name: String(fields.get('name')),
        expiresInDays: days === 0 ? null : days,
        scopes: [...scopes],
        networks: String(fields.get('networks')).match(/[^\s,;]+/g) ?? [],
      });
      setToken(made.token);
      emptySent(form, fields);
      setScopes(DEFAULT_SCOPES);
      router.refresh();
    });
  };

  return (
    <div className="grid grid-cols-1 gap-4">
      <ScriptForm className="form-row" onSubmit={submit}>
        <FormField id={NAME_ID} label={t('tokenName')} className="min-w-[min(10rem,100%)] flex-1">
          <CheckedInput id={NAME_ID} name="name" required maxLength={200} />
        </FormField>
        <FormField id="token-days" label={t('lifetime')}>
          <select id="token-days" name="days" defaultValue="0" className={INPUT}>
            <option value="0">{t('never')}</option>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {each} {t('days')}
              </option>
            ))}
          </select>
        </FormField>
        <BusyButton type="submit" className="button button-primary button-compact" isBusy={isBusy}>
          {t('createToken')}
        </BusyButton>
        <div className="min-w-0 basis-full">
          <Scopes chosen={scopes} onChange={setScopes} mayRefund={mayRefund} />
        </div>
        <FormField
          id={NETWORKS_ID}
          label={t('networks')}
          hint={t('networksHint')}
          className="min-w-0 basis-full"
        >
          <textarea
            id={NETWORKS_ID}
            name="networks"
            rows={2}
            spellCheck={false}
            autoCapitalize="none"
            aria-describedby={`${NETWORKS_ID}-hint`}
            className={`${INPUT} block max-w-md resize-y font-mono`}
          />
        </FormField>
      </ScriptForm>
      <div role="alert">
        {fault && <p className="field-error">{fault}</p>}
        {isEmpty && scopes.length === 0 && <p className="field-error">{t('scopes.needed')}</p>}
      </div>
      {token && (
        <ShownOnce value={token} note={t('shownOnce')} copy={t('copy')} copied={t('copied')} />
      )}
    </div>
  );
}
