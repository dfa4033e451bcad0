'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useId, useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { contradictsPage, messageOf } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { showToast } from '../../../_shared/show-toast.ts';

/** Takes a note of what became of a difference; the list then shows it no more. */
export function SettleForm({
  environment,
  differenceId,
}: {
  environment: Environment;
  differenceId: string;
}) {
  const t = useTranslations('acquirers.settling');
  const router = useRouter();
  const id = useId();
  const [isBusy, startWork] = useTransition();
  const settle = async (note: string) => {
    try {
      const { acquirers } = dashboardClient(environment);
      await acquirers.settleDifference.mutate({ differenceId, note });
      showToast(t('settled'));
      router.refresh();
    } catch (error) {
      if (contradictsPage(error)) router.refresh();
      showToast(messageOf(error), 'negative');
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const note = new FormData(event.currentTarget).get('note');
    startWork(() => settle(String(note)));
  };
  return (
    <ScriptForm onSubmit={onSubmit} className="mt-4 flex flex-wrap items-end gap-3">
      <FormField id={id} label={t('note')} hint={t('noteHint')} className="min-w-0 flex-1 basis-72">
        <input
          id={id}
          name="note"
          required
          maxLength={500}
          aria-describedby={`${id}-hint`}
          className={INPUT}
        />
      </FormField>
      <BusyButton type="submit" className="button button-plain" isBusy={isBusy}>
        {t('settle')}
      </BusyButton>
    </ScriptForm>
  );
}
