'use client';

import { useRouter } from 'next/navigation';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl/react';
import { randomUuid } from '#app/_ui/random-uuid.ts';
import { ScriptForm } from '#app/_ui/script-form.tsx';
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
import { faultText } from './fault-text.ts';
import {
  type Draft,
  type Faults,
  FIELDS,
  faultsOf,
  formOf,
  standingFaults,
  type TextName,
} from './invoice-draft.ts';
import { InvoicePreview } from './invoice-preview.tsx';
import { PositionFields } from './position-fields.tsx';
import { suggestedReference } from './suggested-reference.ts';

type Props = {
  environment: Environment;
  locale: Locale;
  brand: Brand;
  addresses: { successUrl: string; errorUrl: string; callbackUrl: string } | null;
  reference: string;
};

/** The periods for which an invoice can be paid. */
const PERIODS = [
  { unit: 'hours', count: 1 },
  { unit: 'hours', count: 24 },
  { unit: 'days', count: 3 },
  { unit: 'days', count: 7 },
  { unit: 'days', count: 30 },
] as const;

/** How a phone's keyboard helps with a field. */
type Keyboard = Pick<ComponentProps<'input'>, 'autoCapitalize' | 'spellCheck' | 'inputMode'>;
const AS_TYPED: Keyboard = { autoCapitalize: 'none', spellCheck: false };
const ADDRESS: Keyboard = { ...AS_TYPED, inputMode: 'url' };

const isShown = (field: string): boolean =>
  Object.values(FIELDS).some(({ wire }) => wire === field) || /^positions\.\d+\./.test(field);

function TextField({
  name,
  label,
  hint,
  draft,
  faults,
  onChange,
  ...input
}: Keyboard & {
  name: TextName;
  label: string;
  hint?: string;
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}) {
  const fault = faults[FIELDS[name].wire];
  return (
    <div>
      <FormField id={name} label={label} hint={hint}>
        <input
          id={name}
          dir="auto"
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${name}-fault` : hint && `${name}-hint`}
          maxLength={FIELDS[name].most}
          {...input}
          className={INPUT}
        />
      </FormField>
      <FieldFault id={`${name}-fault`} text={fault} />
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card grid min-w-0 grid-cols-1 gap-4 p-5">
      <legend className="sr-only">{title}</legend>
      <p aria-hidden="true" className="font-semibold">
        {title}
      </p>
      {children}
    </fieldset>
  );
}

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
    currency: textOf('#currency', draft.currency) as Currency,
    hours: Number(textOf('#hours', String(draft.hours))),
    description: textOf('#description', draft.description),
    reference: textOf('#reference', draft.reference),
    successUrl: textOf('#successUrl', draft.successUrl),
    errorUrl: textOf('#errorUrl', draft.errorUrl),
    callbackUrl: textOf('#callbackUrl', draft.callbackUrl),
    positions: draft.positions.map((position) => ({
      ...position,
      title: textOf('[data-field="title"]', position.title),
      amount: textOf('[data-field="amount"]', position.amount),
    })),
  };
}

function useInvoiceForm({ environment, addresses, reference }: Props) {
  const t = useTranslations('dashboard.create');
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<{ faults: Faults; judged: Draft } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // The first faulty field takes the focus; a screen reader reads the fault with it.
  useEffect(() => {
    if (found) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [found]);
  const [begun] = useState<Draft>({
    description: '',
    currency: 'USD',
    positions: [{ key: 0, title: '', amount: '' }],
    hours: 72,
    reference: used.has(reference) ? suggestedReference(Date.now()) : reference,
    successUrl: addresses?.successUrl ?? '',
    errorUrl: addresses?.errorUrl ?? '',
    callbackUrl: addresses?.callbackUrl ?? '',
  });
  const [draft, setDraft] = useState(begun);
  const [isMade, setMade] = useState(false);
  useUnsaved(isMade || contentOf(draft) === contentOf(begun) ? null : t('unsaved'));
  // The button may have been pressed before the script loaded, so the draft is read first.
  useLayoutEffect(() => {
    const { current } = form;
    if (current) setDraft((begun) => typedInto(current, begun));
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
        router.push(`/dashboard/${environment}/invoices/${result.invoiceId}`);
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
      // A toast tells the faults that no field shows.
      const unseen =
        result.outcome === 'invalid' && result.faults.find(({ field }) => !isShown(field));
      if (unseen) showToast(faultText(unseen, t), 'negative');
    } catch (error) {
      // A refusal explains itself; without an answer the outcome is unknown.
      const isAnswered = error instanceof Error && !isUnanswered(error);
      showToast(isAnswered ? error.message : t('failed'), 'negative');
    }
    setBusy(false);
  };
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faults = found ? standingFaults(found.faults, found.judged, draft, t) : {};
  return { form, draft, change, faults, isBusy, submit };
}

/** Makes an invoice by hand, with a preview of the buyer's page. */
export function InvoiceForm(props: Props) {
  const { locale, brand } = props;
  const t = useTranslations('dashboard.create');
  const { form, draft, change, faults, isBusy, submit } = useInvoiceForm(props);
  const text = { draft, faults, onChange: change };
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ScriptForm
        ref={form}
        noValidate
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <Group title={t('what')}>
          <TextField name="description" label={t('description')} {...text} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] items-end gap-3">
            <FormField id="currency" label={t('currency')}>
              <select
                id="currency"
                value={draft.currency}
                onChange={(event) => change({ currency: event.target.value as Currency })}
                className={INPUT}
              >
                {CURRENCIES.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </FormField>
            <FormField id="hours" label={t('payableFor')}>
              <select
                id="hours"
                value={draft.hours}
                onChange={(event) => change({ hours: Number(event.target.value) })}
                className={INPUT}
              >
                {PERIODS.map(({ unit, count }) => (
                  <option key={`${count} ${unit}`} value={unit === 'days' ? count * 24 : count}>
                    {t(unit, { count })}
                  </option>
                ))}
              </select>
            </FormField>
          </div>
          <PositionFields locale={locale} draft={draft} faults={faults} onChange={change} />
        </Group>
        <Group title={t('systems')}>
          <p className="-mt-3 text-muted text-sm">
            {props.addresses ? t('addressesHint') : t('addressesNone')}
          </p>
          <TextField
            name="reference"
            label={t('reference')}
            hint={t('referenceHint')}
            {...AS_TYPED}
            {...text}
          />
          <TextField
            name="successUrl"
            label={t('successUrl')}
            hint={t('successUrlHint')}
            {...ADDRESS}
            {...text}
          />
          <TextField
            name="errorUrl"
            label={t('errorUrl')}
            hint={t('errorUrlHint')}
            {...ADDRESS}
            {...text}
          />
          <TextField
            name="callbackUrl"
            label={t('callbackUrl')}
            hint={t('callbackUrlHint')}
            {...ADDRESS}
            {...text}
          />
        </Group>
        <BusyButton
          type="submit"
          isBusy={isBusy}
          className="button button-primary justify-self-start"
        >
          {isBusy ? t('busy') : t('submit')}
        </BusyButton>
      </ScriptForm>
      <InvoicePreview locale={locale} draft={draft} brand={brand} />
    </div>
  );
}
