'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from 'next/navigation';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Banner } from '#app/_ui/banner.tsx';
import { randomUuid } from '#app/_ui/random-uuid.ts';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { type Currency, formatMoney } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import { MAX_REASON_LENGTH } from '#server/refunds/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import {
  contradictsPage,
  isUnanswered,
  messageOf,
  refusedFor,
  valuesOf,
} from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import {
  type DialogHandle,
  TitledDialog,
  useDialog,
} from '../../../_shared/forms/confirm-dialog.tsx';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useFaultFocus } from '../../../_shared/forms/use-fault-focus.ts';
import { useNearbyFocus } from '../../../_shared/forms/use-nearby-focus.ts';
import { showToast } from '../../../_shared/show-toast.ts';
import { parseAmount, presetAmount } from './amount-text.ts';

type Words = Translator<'dashboard.refund'>;
type Faults = { amount?: string; reason?: string };

export type Refundable = {
  environment: Environment;
  locale: Locale;
  invoiceId: string;
  currency: Currency;
  /** What is left to refund. */
  leftMinor: bigint;
  /** The acquirer's name where it takes back only the whole; null where any part can go. */
  onlyWholeAt: string | null;
  /** Whether the buyer has disputed the payment, and no bank has decided yet. */
  isDisputed: boolean;
};

/** The refusal in words for the field of the amount; null for one that is not about it. */
function amountFault(error: unknown, t: Words, { currency, locale }: Refundable): string | null {
  const { left, acquirer } = valuesOf(error);
  switch (refusedFor(error)) {
    case 'refund_too_much':
      return t('tooMuch', { left: formatMoney(BigInt(left ?? 0), currency, locale) });
    case 'refund_whole':
      return t('onlyWhole', { acquirer: String(acquirer) });
    default:
      return null;
  }
}

function faultsOf(amount: bigint | null, reason: string, t: Words, of: Refundable): Faults {
  const faults: Faults = {};
  if (amount === null) faults.amount = t('badAmount');
  else if (amount > of.leftMinor) {
    faults.amount = t('tooMuch', { left: formatMoney(of.leftMinor, of.currency, of.locale) });
  }
  if (Array.from(reason).length > MAX_REASON_LENGTH) {
    faults.reason = t('reasonTooLong', { count: MAX_REASON_LENGTH });
  }
  return faults;
}

/** What is typed and shown, and the call itself. */
function useRefund(of: Refundable, preset: { amountMinor: bigint; reason: string }) {
  const t = useTranslations('dashboard.refund');
  const router = useRouter();
  const dialog = useDialog();
  const focus = useNearbyFocus();
  const begun = { amount: presetAmount(preset.amountMinor, of.currency), reason: preset.reason };
  const [draft, setDraft] = useState(begun);
  const [faults, setFaults] = useState<Faults>({});
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  // The key of a refund is kept until its answer: a repetition of the same sum and reason is sent
  // under the same key, and so refunds nothing more.
  const sent = useRef<{ of: string; formKey: string } | null>(null);
  const amountMinor = parseAmount(draft.amount);
  const reason = draft.reason.trim();

  const onOpenChange = (isOpen: boolean) => {
    // What was sent without an answer stands there as it was sent.
    if (!isOpen || sent.current) return;
    setDraft(begun);
    setFaults({});
    setConfirming(false);
  };
  const change = (part: Partial<typeof begun>) => {
    setDraft((before) => ({ ...before, ...part }));
    setFaults({});
  };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(amountMinor, reason, t, of);
    setFaults(found);
    setConfirming(Object.keys(found).length === 0);
  };
  const fail = (error: unknown) => {
    focus.forget();
    const fault = amountFault(error, t, of);
    if (fault !== null) {
      setFaults({ amount: fault });
      setConfirming(false);
      return;
    }
    showToast(isUnanswered(error) ? t('failed') : messageOf(error), 'negative');
    if (!contradictsPage(error)) return;
    sent.current = null;
    dialog.close();
    router.refresh();
  };
  const send = async () => {
    if (amountMinor === null) return;
    const what = JSON.stringify([String(amountMinor), reason]);
    if (sent.current?.of !== what) sent.current = { of: what, formKey: randomUuid() };
    focus.begin();
    setBusy(true);
    try {
      const { status } = await dashboardClient(of.environment).refunds.create.mutate({
        formKey: sent.current.formKey,
        invoiceId: of.invoiceId,
        amountMinor: Number(amountMinor),
        reason: reason || null,
      });
      sent.current = null;
      showToast(t(`done.${status}`), status === 'FAILED' ? 'negative' : undefined);
      dialog.close();
      router.refresh();
    } catch (error) {
      fail(error);
    }
    setBusy(false);
  };
  const back = () => setConfirming(false);
  return {
    t,
    dialog,
    draft,
    faults,
    isConfirming,
    isBusy,
    amountMinor,
    ...{ onOpenChange, change, goOn, send, back },
  };
}

type Work = ReturnType<typeof useRefund>;

/** The focus follows the step, whose button is gone. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

function RefundForm({ work, of }: { work: Work; of: Refundable }) {
  const { t, draft, faults, change } = work;
  const id = useId();
  const form = useFaultFocus(faults.amount ?? faults.reason ?? null);
  const left = formatMoney(of.leftMinor, of.currency, of.locale);
  const hint =
    of.onlyWholeAt === null ? t('leftIs', { left }) : t('onlyWhole', { acquirer: of.onlyWholeAt });
  const described = (field: keyof Faults) =>
    faults[field] ? `${id}-${field}-fault` : `${id}-${field}-hint`;
  return (
    <ScriptForm ref={form} noValidate className="mt-4 grid grid-cols-1 gap-4" onSubmit={work.goOn}>
      <div>
        <FormField id={`${id}-amount`} label={`${t('amount')}, ${of.currency}`} hint={hint}>
          <input
            id={`${id}-amount`}
            ref={takeFocus}
            inputMode="decimal"
            autoComplete="off"
            readOnly={of.onlyWholeAt !== null}
            value={draft.amount}
            onChange={(event) => change({ amount: event.target.value })}
            aria-invalid={faults.amount ? true : undefined}
            aria-describedby={described('amount')}
            className={INPUT}
          />
        </FormField>
        <FieldFault id={`${id}-amount-fault`} text={faults.amount} />
      </div>
      <div>
        <FormField id={`${id}-reason`} label={t('reason')} hint={t('reasonHint')}>
          <input
            id={`${id}-reason`}
            dir="auto"
            value={draft.reason}
            maxLength={2 * MAX_REASON_LENGTH}
            onChange={(event) => change({ reason: event.target.value })}
            aria-invalid={faults.reason ? true : undefined}
            aria-describedby={described('reason')}
            className={INPUT}
          />
        </FormField>
        <FieldFault id={`${id}-reason-fault`} text={faults.reason} />
      </div>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Dialog.Close className="button button-plain">{t('back')}</Dialog.Close>
        <button type="submit" className="button button-primary">
          {t('continue')}
        </button>
      </div>
    </ScriptForm>
  );
}

function Confirmation({ work, sum }: { work: Work; sum: string }) {
  const { t, draft, isBusy } = work;
  return (
    <>
      <div ref={takeFocus} tabIndex={-1} className="mt-2 text-muted outline-none wrap-anywhere">
        <p>{t('confirmText')}</p>
        {draft.reason.trim() !== '' && (
          <p className="mt-2">
            {t('reason')}: <bdi className="text-ink">{draft.reason.trim()}</bdi>
          </p>
        )}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <BusyButton className="button button-plain" isBusy={isBusy} onClick={work.back}>
          {t('change')}
        </BusyButton>
        <BusyButton
          className="button button-danger-solid aria-disabled:cursor-not-allowed"
          isBusy={isBusy}
          onClick={() => void work.send()}
        >
          {isBusy ? t('busy') : t('confirm', { amount: sum })}
        </BusyButton>
      </div>
    </>
  );
}

/**
 * A button that refunds an invoice after a form for the sum and a question that names it.
 *
 * @param preset the sum and the reason that the form begins with; all that is left without it
 */
export function RefundDialog({
  label,
  accessibleLabel,
  preset,
  ...of
}: Refundable & {
  label: string;
  accessibleLabel?: string;
  preset?: { amountMinor: bigint; reason: string };
}) {
  const work = useRefund(of, preset ?? { amountMinor: of.leftMinor, reason: '' });
  const { t, isConfirming, amountMinor } = work;
  const dialog: DialogHandle = work.dialog;
  const sum = formatMoney(amountMinor ?? 0n, of.currency, of.locale);
  return (
    <TitledDialog
      dialog={dialog}
      opener={{ className: 'button button-plain', 'aria-label': accessibleLabel, children: label }}
      title={isConfirming ? t('confirmTitle', { amount: sum }) : t('dialogTitle')}
      onOpenChange={work.onOpenChange}
    >
      {of.isDisputed && (
        <div className="mt-3">
          <Banner tone="caution" title={t('disputed')}>
            <p>{t('disputedText')}</p>
          </Banner>
        </div>
      )}
      {isConfirming ? <Confirmation work={work} sum={sum} /> : <RefundForm work={work} of={of} />}
    </TitledDialog>
  );
}
