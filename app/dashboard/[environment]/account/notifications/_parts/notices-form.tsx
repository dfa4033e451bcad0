'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES, type Currency, readAmount, toDecimalString } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import {
  CHANNELS,
  type Channel,
  type NoticeChoice,
  PAYMENT_SCOPES,
  type PaymentScope,
} from '#server/notices/types.ts';
import type { NoticesView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../../../_shared/client.ts';
import { BusyButton } from '../../../../_shared/forms/busy-button.tsx';
import { AmountInput } from '../../../../_shared/forms/checked-input.tsx';
import { FormField, INPUT } from '../../../../_shared/forms/form-field.tsx';
import { useCall } from '../../../../_shared/forms/use-call.ts';
import { showToast } from '../../../../_shared/show-toast.ts';

type Payments = NonNullable<NoticeChoice['payments']>;

/** Which payments; the amount is asked for where it counts. */
function PaymentFields({ chosen }: { chosen: Payments }) {
  const t = useTranslations('dashboard.notifications');
  const [scope, setScope] = useState<PaymentScope>(chosen.scope);
  const { aboveMinor } = chosen;
  const currency = chosen.currency ?? 'UZS';
  return (
    <div className="mt-2 grid max-w-xl gap-3 sm:grid-cols-2">
      <FormField id="scope" label={t('which')}>
        <select
          id="scope"
          name="scope"
          value={scope}
          onChange={(event) => setScope(event.target.value as PaymentScope)}
          className={INPUT}
        >
          {PAYMENT_SCOPES.map((each) => (
            <option key={each} value={each}>
              {t(`scopes.${each}`)}
            </option>
          ))}
        </select>
      </FormField>
      {scope === 'above' && (
        <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-2">
          <FormField id="above" label={t('amount')}>
            <AmountInput
              id="above"
              name="above"
              title={t('amountWrong')}
              defaultValue={
                aboveMinor === null
                  ? ''
                  : toDecimalString(aboveMinor, currency).replace(/\.0+$/, '')
              }
            />
          </FormField>
          <FormField id="currency" label={t('currency')}>
            <select id="currency" name="currency" defaultValue={currency} className={INPUT}>
              {CURRENCIES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </FormField>
          <p className="col-span-2 text-muted text-sm">{t('aboveHint')}</p>
        </div>
      )}
    </div>
  );
}

/** The choices as they stand in the form. */
function choicesIn(form: HTMLFormElement, choices: readonly NoticeChoice[]) {
  const data = new FormData(form);
  const scope = data.get('scope') as PaymentScope;
  const isAbove = scope === 'above';
  return choices.map(({ kind }) => ({
    kind,
    channels: data.getAll(kind) as Channel[],
    payments:
      kind === 'payment'
        ? {
            scope,
            aboveMinor: isAbove ? Number(readAmount(String(data.get('above') ?? '')) ?? 0n) : null,
            currency: isAbove ? (data.get('currency') as Currency) : null,
          }
        : null,
  }));
}

type Props = {
  environment: Environment;
  locale: Locale;
  choices: NoticesView['choices'];
  mayUseTelegram: boolean;
};

/** A table of what can happen and the channels on which one hears of it. */
export function NoticesForm({ environment, locale, choices, mayUseTelegram }: Props) {
  const t = useTranslations('dashboard.notifications');
  const router = useRouter();
  const { call, isBusy, fault } = useCall();
  const { notices } = dashboardClient(environment);

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void call(async () => {
      await notices.save.mutate({ choices: choicesIn(form, choices), locale });
      showToast(t('saved'));
      router.refresh();
    });
  };
  const test = () =>
    void call(async () => {
      await notices.sendTest.mutate();
      showToast(t('tested'));
    });

  return (
    <ScriptForm className="card p-5" onSubmit={save}>
      <table className="w-full text-left text-[0.9375rem]">
        <thead>
          <tr className="text-muted text-sm">
            <th scope="col" className="pb-2 font-medium">
              {t('what')}
            </th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col" className="w-20 pb-2 text-center font-medium">
                {t(channel)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-line border-t">
          {choices.map(({ kind, channels, payments }) => (
            <tr key={kind}>
              <th scope="row" className="py-3 pr-3 font-normal">
                {t(`kinds.${kind}`)}
                {payments && <PaymentFields chosen={payments} />}
              </th>
              {CHANNELS.map((channel) => {
                const isClosed = channel === 'telegram' && !mayUseTelegram;
                return (
                  <td key={channel} className="py-1 text-center align-top">
                    <label
                      className="inline-grid min-h-11 min-w-11 place-items-center"
                      title={isClosed ? t('connectFirst') : undefined}
                    >
                      <span className="sr-only">{`${t(`kinds.${kind}`)}: ${t(channel)}`}</span>
                      <input
                        type="checkbox"
                        name={kind}
                        value={channel}
                        disabled={isClosed}
                        defaultChecked={channels.includes(channel)}
                        className="size-4 accent-accent"
                      />
                    </label>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="mt-4 flex flex-wrap gap-2">
        <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
          {t('save')}
        </BusyButton>
        <BusyButton type="button" className="button button-plain" isBusy={isBusy} onClick={test}>
          {t('test')}
        </BusyButton>
      </div>
    </ScriptForm>
  );
}
