'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { CallbackKind } from '#server/callbacks/types.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { EndpointReportView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { FormField } from '../../../_shared/forms/form-field.tsx';
import { useCall } from '../../../_shared/forms/use-call.ts';
import { EndpointReport } from './endpoint-report.tsx';

const KINDS: readonly CallbackKind[] = ['notification', 'event'];

/** Sends samples to an address and shows its answers. */
export function EndpointTrial({
  environment,
  locale,
  kind: begun,
  urls,
}: {
  environment: Environment;
  locale: Locale;
  kind: CallbackKind;
  /** The newest callback's address and the one for events: what a merchant most likely wants to test. */
  urls: Record<CallbackKind, string>;
}) {
  const t = useTranslations('dashboard.endpoint');
  const [kind, setKind] = useState(begun);
  const [report, setReport] = useState<EndpointReportView | null>(null);
  const { call, isBusy, fault } = useCall();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setReport(null);
    void call(async () => {
      const { callbacks } = dashboardClient(environment);
      setReport(
        await callbacks.tryEndpoint.mutate({
          url: String(fields.get('url')),
          kind,
          checkSignature: fields.get('signature') === 'on',
        }),
      );
    });
  };

  return (
    <div className="grid grid-cols-1 gap-5">
      <section className="card p-5" aria-label={t('title')}>
        <p className="max-w-prose text-muted">{kind === 'event' ? t('leadEvents') : t('lead')}</p>
        <ul className="mt-2 mb-4 max-w-prose list-disc pl-4 wrap-anywhere text-muted">
          <li>{t('facts.samples')}</li>
          <li>{t('facts.signature')}</li>
        </ul>
        <ScriptForm className="grid grid-cols-1 gap-3" onSubmit={submit}>
          <fieldset className="flex flex-wrap gap-x-5 gap-y-1.5 text-[0.9375rem]">
            <legend className="mb-1 font-medium text-muted text-sm">{t('what')}</legend>
            {KINDS.map((each) => (
              <label key={each} className="inline-flex items-start gap-2">
                <input
                  type="radio"
                  name="kind"
                  value={each}
                  checked={each === kind}
                  onChange={() => setKind(each)}
                  className="mt-1 size-4 shrink-0"
                />
                {t(`kinds.${each}`)}
              </label>
            ))}
          </fieldset>
          <FormField id="url" label={t('url')}>
            <CheckedInput
              id="url"
              name="url"
              type="url"
              required
              maxLength={2048}
              key={kind}
              defaultValue={urls[kind]}
              placeholder="https://shop.example/callback"
            />
          </FormField>
          <label className="flex items-start gap-2 text-[0.9375rem]">
            <input
              type="checkbox"
              name="signature"
              defaultChecked
              className="mt-1 size-4 shrink-0"
            />
            {t('checkSignature')}
          </label>
          <BusyButton
            type="submit"
            className="button button-primary button-compact justify-self-start"
            isBusy={isBusy}
          >
            {isBusy ? t('sending') : t('send')}
          </BusyButton>
        </ScriptForm>
        <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      </section>
      <div aria-live="polite">{report && <EndpointReport report={report} locale={locale} />}</div>
    </div>
  );
}
