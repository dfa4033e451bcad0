'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Spinner } from '#app/_ui/icons.tsx';
import { randomUuid } from '#app/_ui/random-uuid.ts';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES, type Currency } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { Brand } from '../../../_shared/brand-preview.tsx';
import { dashboardClient } from '../../../_shared/client.ts';
import { isUnanswered } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useUnsaved } from '../../../_shared/forms/unsaved.ts';
import { showToast } from '../../../_shared/show-toast.ts';
import { Unfold } from '../../../_shared/unfold.tsx';
import { presetAmount } from './amount-text.ts';
import { faultText } from './fault-text.ts';
import {
  type Draft,
  type Faults,
  FIELDS,
  faultsOf,
  formOf,
  standingFaults,
  totalOfDraft,
} from './invoice-draft.ts';
import { InvoicePreview } from './invoice-preview.tsx';
import { MoreFields, TextField } from './more-fields.tsx';
import { suggestedReference } from './suggested-reference.ts';

type Props = {
  environment: Environment;
  locale: Locale;
  brand: Brand;
  /** The currency of the last link. */
  currency: Currency;
  reference: string;
};

const AMOUNT_INPUT = 'field-input !min-h-14 !py-2 !text-3xl font-semibold tabular-nums';

/** Whether a field can show the server's fault. */
const isShown = (field: string, { positions }: Draft): boolean =>
  field === 'amount' ||
  Object.values(FIELDS).some(({ wire }) => wire === field) ||
  (positions.length > 0 && /^positions\.\d+\./.test(field));

/** The references used since the page loaded: a user who goes back finds the form unchanged. */
const used = new Set<string>();

/** Everything that somebody has typed or chosen. */
function contentOf({ positions, ...fields }: Draft): string {
  const rows = positions.map(({ title, amount }) => [title, amount]);
  return JSON.stringify([fields, rows]);
}

/** Reads the fields, because React does not know what was typed before the script loaded. */
function typedInto(form: HTMLFormElement, draft: Draft): Draft {
  const textOf = (place: string, otherwise: string): string =>
    form.querySelector<HTMLInputElement | HTMLSelectElement>(place)?.value ?? otherwise;
  return {
    ...draft,
    amount: textOf('#amount', draft.amount),
    currency: textOf('#currency', draft.currency) as Currency,
    hours: Number(textOf('#hours', String(draft.hours))),
    description: textOf('#description', draft.description),
    reference: textOf('#reference', draft.reference),
    successUrl: textOf('#successUrl', draft.successUrl),
    errorUrl: textOf('#errorUrl', draft.errorUrl),
    callbackUrl: textOf('#callbackUrl', draft.callbackUrl),
  };
}

/** Shows and focuses the first faulty field; a screen reader reads the fault with it. */
function focusFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}

function useInvoiceForm({ environment, currency, reference }: Props) {
  const t = useTranslations('dashboard.create');
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<{ faults: Faults; judged: Draft } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (found) focusFault(form.current);
  }, [found]);
  const [begun] = useState<Draft>({
    description: '',
    amount: '',
    currency,
    positions: [],
    hours: 72,
    reference: used.has(reference) ? suggestedReference(Date.now()) : reference,
    successUrl: '',
    errorUrl: '',
    callbackUrl: '',
  });
  const [draft, setDraft] = useState(begun);
  const [isMade, setMade] = useState(false);
  useUnsaved(isMade || contentOf(draft) === contentOf(begun) ? null : t('unsaved'));
  // The button may have been pressed before the script loaded, so the draft is read first.
  useLayoutEffect(() => {
    const { current } = form;
    if (!current) return;
    setDraft((begun) => typedInto(current, begun));
    // Whoever comes here comes to type an amount.
    const isFree = document.activeElement === document.body;
    if (isFree) current.querySelector<HTMLElement>('#amount')?.focus({ preventScroll: true });
  }, []);
  // The sent form is kept until its answer: a repetition sends the same form under the same key,
  // and so makes no second invoice.
  const sent = useRef<{ of: string; form: ReturnType<typeof formOf> } | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const faults = faultsOf(draft, t);
    setFound({ faults, judged: draft });
    if (Object.keys(faults).length > 0) return;
    const of = JSON.stringify(draft);
    if (sent.current?.of !== of) {
      sent.current = { of, form: formOf(draft, randomUuid()) };
    }
    setBusy(true);
    try {
      const result = await dashboardClient(environment).paymentLinks.create.mutate(
        sent.current.form,
      );
      if (result.outcome === 'created') {
        used.add(draft.reference);
        setMade(true);
        showToast(t('done'));
        router.push(`/dashboard/${environment}/invoices/${result.invoiceId}/link`);
        return;
      }
      sent.current = null;
      setFound({
        judged: draft,
        faults:
          result.outcome === 'duplicate'
            ? { merchant_transaction_id: t('duplicate') }
            : Object.fromEntries(result.faults.map((each) => [each.field, faultText(each, t)])),
      });
      // A toast tells a fault where no field shows one.
      const faults = result.outcome === 'invalid' ? result.faults : [];
      const isSeen = faults.some(({ field }) => isShown(field, draft));
      if (faults[0] && !isSeen) showToast(faultText(faults[0], t), 'negative');
    } catch (error) {
      // A refusal explains itself; without an answer the outcome is unknown.
      const isAnswered = error instanceof Error && !isUnanswered(error);
      showToast(isAnswered ? error.message : t('failed'), 'negative');
    }
    setBusy(false);
  };
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faults = found ? standingFaults(found.faults, found.judged, draft) : {};
  return { form, draft, change, faults, isBusy, submit };
}

/** The amount and its currency; positions, where there are some, are summed up. */
function AmountFields({
  locale,
  draft,
  faults,
  onChange,
}: {
  locale: Locale;
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations('dashboard.create');
  const { amount, currency, positions } = draft;
  const total = totalOfDraft(draft);
  const isSum = positions.length > 0;
  const told = [faults.amount && 'amount-fault', isSum && 'amount-hint'].filter(Boolean).join(' ');
  const sum = total === null ? '' : presetAmount(total, currency);
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,1fr)_6.5rem] items-end gap-3">
        <FormField id="amount" label={t('amount')}>
          <input
            id="amount"
            value={isSum ? sum : amount}
            readOnly={isSum}
            onChange={(event) => onChange({ amount: event.target.value })}
            placeholder={numberFormat(locale, {}).format(0)}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={faults.amount ? true : undefined}
            aria-describedby={told || undefined}
            className={`${AMOUNT_INPUT} ${isSum ? '!bg-sunk' : ''}`}
          />
        </FormField>
        <FormField id="currency" label={t('currency')}>
          <select
            id="currency"
            value={currency}
            onChange={(event) => onChange({ currency: event.target.value as Currency })}
            className={`${INPUT} !min-h-14 font-semibold`}
          >
            {CURRENCIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </FormField>
      </div>
      {isSum && (
        <p id="amount-hint" className="mt-1 text-muted text-sm">
          {t('amountIsSum')}
        </p>
      )}
      <FieldFault id="amount-fault" text={faults.amount} />
    </div>
  );
}

/** Makes a payment link by hand, with a preview of the buyer's page where there is room. */
export function InvoiceForm(props: Props) {
  const { locale, brand } = props;
  const t = useTranslations('dashboard.create');
  const { form, draft, change, faults, isBusy, submit } = useInvoiceForm(props);
  const fields = { draft, faults, onChange: change };
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,32rem)_20rem]">
      <ScriptForm
        ref={form}
        noValidate
        className="card grid grid-cols-1 gap-5 p-5"
        onSubmit={(event) => void submit(event)}
      >
        <AmountFields locale={locale} {...fields} />
        <TextField name="description" label={t('description')} {...fields} />
        <BusyButton
          type="submit"
          isBusy={isBusy}
          className="button button-primary button-large w-full"
        >
          {isBusy && <Spinner />}
          {isBusy ? t('busy') : t('submit')}
        </BusyButton>
        <details className="group -mb-1">
          <Unfold>{t('more')}</Unfold>
          <MoreFields locale={locale} {...fields} />
        </details>
      </ScriptForm>
      <InvoicePreview locale={locale} draft={draft} brand={brand} />
    </div>
  );
}
