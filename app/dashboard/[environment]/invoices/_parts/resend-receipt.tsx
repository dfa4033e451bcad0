'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { messageOf, refusedFor } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { TitledDialog, useDialog } from '../../../_shared/forms/confirm-dialog.tsx';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useFaultFocus } from '../../../_shared/forms/use-fault-focus.ts';
import { showToast } from '../../../_shared/show-toast.ts';

/** Sends the payment confirmation again, to the buyer's address or a corrected one. */
export function ResendReceipt({
  environment,
  invoiceId,
  email,
}: {
  environment: Environment;
  invoiceId: string;
  /** The address known so far; empty without one. */
  email: string;
}) {
  const t = useTranslations('dashboard.receiptEmail');
  const router = useRouter();
  const dialog = useDialog();
  const [typed, setTyped] = useState(email);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useFaultFocus(fault);

  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) return;
    setTyped(email);
    setFault(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      const sent = { invoiceId, email: typed };
      await dashboardClient(environment).invoices.resendReceipt.mutate(sent);
      dialog.close();
      showToast(t('done'));
      router.refresh();
    } catch (error) {
      if (refusedFor(error) === 'buyer_email_invalid') setFault(messageOf(error));
      else showToast(messageOf(error), 'negative');
    }
    setBusy(false);
  };

  return (
    <TitledDialog
      dialog={dialog}
      opener={{ className: 'button button-plain', children: t('action') }}
      title={t('title')}
      onOpenChange={onOpenChange}
    >
      <p className="mt-2 text-muted">{t('text')}</p>
      <ScriptForm ref={form} className="mt-5" onSubmit={(event) => void submit(event)}>
        <FormField id="receipt-email" label={t('email')}>
          <input
            id="receipt-email"
            name="email"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={254}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setFault(null);
            }}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? 'receipt-email-fault' : undefined}
            className={INPUT}
          />
          <FieldFault id="receipt-email-fault" text={fault ?? undefined} />
        </FormField>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Dialog.Close className="button button-plain">{t('back')}</Dialog.Close>
          <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
            {t('send')}
          </BusyButton>
        </div>
      </ScriptForm>
    </TitledDialog>
  );
}
