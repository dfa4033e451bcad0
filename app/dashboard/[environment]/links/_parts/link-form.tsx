'use client';

import { useRouter } from 'next/navigation';
import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { CURRENCIES, type Currency } from '#server/lib/money.ts';
import { LINK_FIELDS, LINK_LIMITS } from '#server/links/types.ts';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { isUnanswered } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { showToast } from '../../../_shared/show-toast.ts';
import { Unfold } from '../../../_shared/unfold.tsx';
import { type LinkFaults, readLinkForm } from './link-draft.ts';

type Props = { environment: Environment; currency: Currency };

const AMOUNT: ComponentProps<'input'> = { inputMode: 'decimal', autoComplete: 'off' };
const NUMBER: ComponentProps<'input'> = { inputMode: 'numeric', autoComplete: 'off' };

/** An input with its label, hint and fault. */
function Field({
  name,
  label,
  hint,
  faults,
  ...input
}: { name: string; label: string; hint?: string; faults: LinkFaults } & ComponentProps<'input'>) {
  const t = useTranslations('dashboard.links');
  const fault = faults[name];
  const told = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <FormField id={name} label={label} hint={hint}>
        <input
          id={name}
          name={name}
          aria-invalid={fault ? true : undefined}
          aria-describedby={told || undefined}
          className={INPUT}
          {...input}
        />
      </FormField>
      <FieldFault id={`${name}-fault`} text={fault && t(`faults.${fault}`)} />
    </div>
  );
}

/** One amount for all, or bounds for the buyer's own; the other one's fields are hidden. */
function PriceFields({ currency, faults }: { currency: Currency; faults: LinkFaults }) {
  const t = useTranslations('dashboard.links');
  return (
    <fieldset className="group grid grid-cols-1 gap-4">
      <legend className="mb-1 font-medium text-muted text-sm">{t('amount')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {(['fixed', 'open'] as const).map((kind) => (
          <label key={kind} className="flex items-center gap-2 py-1">
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={kind === 'fixed'}
              className="size-5 accent-(--accent)"
            />
            {t(`kinds.${kind}`)}
          </label>
        ))}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-start gap-3">
        <div className="group-has-[[value=open]:checked]:hidden">
          <Field name="amount" label={t('amountEach')} faults={faults} {...AMOUNT} />
        </div>
        <div className="hidden grid-cols-2 gap-3 group-has-[[value=open]:checked]:grid">
          <Field name="least" label={t('least')} faults={faults} {...AMOUNT} />
          <Field name="greatest" label={t('greatest')} faults={faults} {...AMOUNT} />
        </div>
        <FormField id="currency" label={t('currency')}>
          <select id="currency" name="currency" defaultValue={currency} className={INPUT}>
            {CURRENCIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </FormField>
      </div>
      <div className="group-has-[[value=open]:checked]:hidden">
        <Field
          name="quantity"
          label={t('quantity')}
          hint={t('quantityHint')}
          defaultValue="1"
          faults={faults}
          {...NUMBER}
        />
      </div>
    </fieldset>
  );
}

/** What a link can ask of its buyers, and what ends it. */
function MoreFields({ faults }: { faults: LinkFaults }) {
  const t = useTranslations('dashboard.links');
  return (
    <div className="grid grid-cols-1 gap-5 pt-4">
      <FormField id="description" label={t('description')}>
        <textarea
          id="description"
          name="description"
          dir="auto"
          rows={3}
          maxLength={LINK_LIMITS.description}
          className={INPUT}
        />
      </FormField>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {(['note', 'email', 'phone'] as const).map((name) => (
          <FormField key={name} id={name} label={t(name)}>
            <select id={name} name={name} defaultValue="off" className={INPUT}>
              {LINK_FIELDS.map((field) => (
                <option key={field} value={field}>
                  {t(`fields.${field}`)}
                </option>
              ))}
            </select>
          </FormField>
        ))}
      </div>
      <Field name="limit" label={t('limit')} hint={t('limitHint')} faults={faults} {...NUMBER} />
      <Field name="end" type="datetime-local" label={t('end')} faults={faults} />
    </div>
  );
}

/** Makes a link for any number of buyers. */
export function LinkForm({ environment, currency }: Props) {
  const t = useTranslations('dashboard.links');
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<LinkFaults>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const folded = field?.closest('details');
    if (folded) folded.open = true;
    if (Object.keys(faults).length > 0) field?.focus();
  }, [faults]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readLinkForm(new FormData(event.currentTarget), Date.now());
    setFaults(read.faults ?? {});
    if (!read.link) return;
    setBusy(true);
    try {
      const { linkId } = await dashboardClient(environment).links.create.mutate(read.link);
      router.push(`/dashboard/${environment}/links/${linkId}`);
    } catch (error) {
      // A refusal explains itself; without an answer the outcome is unknown.
      const isAnswered = error instanceof Error && !isUnanswered(error);
      showToast(isAnswered ? error.message : t('failed'), 'negative');
      setBusy(false);
    }
  };
  return (
    <ScriptForm
      ref={form}
      noValidate
      className="card grid max-w-xl grid-cols-1 gap-5 p-5"
      onSubmit={(event) => void submit(event)}
    >
      <Field
        name="title"
        label={t('what')}
        dir="auto"
        maxLength={LINK_LIMITS.title}
        faults={faults}
      />
      <PriceFields currency={currency} faults={faults} />
      <details className="group">
        <Unfold>{t('more')}</Unfold>
        <MoreFields faults={faults} />
      </details>
      <BusyButton
        type="submit"
        isBusy={isBusy}
        className="button button-primary button-large w-full"
      >
        {isBusy && <Spinner />}
        {t('submit')}
      </BusyButton>
    </ScriptForm>
  );
}
