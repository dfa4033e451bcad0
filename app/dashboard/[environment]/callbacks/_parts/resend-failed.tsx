'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { countText } from '#app/_i18n/count-text.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { isOutdated, messageOf } from '../../../_shared/failure-text.ts';
import {
  DialogButtons,
  type DialogHandle,
  TitledDialog,
  useDialog,
} from '../../../_shared/forms/confirm-dialog.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { showToast } from '../../../_shared/show-toast.ts';
import { FailedCount, type FailedCounts } from './failed-count.tsx';

const DEFAULT_HOURS = 24;

type Counted = FailedCounts & { sinceMs: number };

function Answer({
  counted,
  failure,
  locale,
  onAgain,
}: {
  counted: Counted | null;
  failure: string | null;
  locale: Locale;
  onAgain: () => void;
}) {
  const t = useTranslations('dashboard.callbacks');
  if (failure !== null) {
    return (
      <div className="grid justify-items-start gap-2">
        <p className="field-error !mt-0">{failure}</p>
        <button type="button" className="button button-plain button-compact" onClick={onAgain}>
          {t('countAgain')}
        </button>
      </div>
    );
  }
  if (!counted) return <p className="text-muted">{t('counting')}</p>;
  return <FailedCount {...{ counted, locale }} />;
}

type Question = { hours: number };

/**
 * Counts what a question is about; a new question counts the same hours again.
 *
 * @param dialog the question's; closes when the page has to be loaded again, which a toast offers
 */
function useCount(
  { environment, host }: { environment: Environment; host: string | null },
  question: Question | null,
  dialog: DialogHandle,
) {
  const [counted, setCounted] = useState<Counted | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (question === null) return;
    const current = new AbortController();
    const { signal } = current;
    setCounted(null);
    setFailure(null);
    dashboardClient(environment)
      .callbacks.countFailedWithin.query({ hours: question.hours, host }, { signal })
      .then((answer) => signal.aborted || setCounted(answer))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // A toast is no place for it, because the open dialog covers toasts.
        if (isOutdated(error)) dialog.close();
        else setFailure(messageOf(error));
      });
    return () => current.abort();
  }, [question, environment, host, dialog]);
  return { counted, failure };
}

/**
 * Sends again the callbacks that failed since a time. A question first says how many and to which
 * hosts, counted for exactly the time that is then sent.
 *
 * @param host only this host's callbacks, when the list shows one
 */
export function ResendFailed({
  environment,
  back,
  locale,
  host,
}: {
  environment: Environment;
  back: string;
  locale: Locale;
  host: string | null;
}) {
  const t = useTranslations('dashboard.callbacks');
  const router = useRouter();
  const dialog = useDialog();
  const since = useRef<HTMLSelectElement>(null);
  const id = useId();
  const [question, setQuestion] = useState<Question | null>(null);
  const { counted, failure } = useCount({ environment, host }, question, dialog);
  const [isBusy, setBusy] = useState(false);
  const hours = question?.hours ?? DEFAULT_HOURS;

  const countAgain = () => {
    setQuestion({ hours });
    // The pressed button disappears.
    since.current?.focus();
  };

  const send = async () => {
    if (!counted) return;
    setBusy(true);
    try {
      const { callbacks } = dashboardClient(environment);
      const { queued } = await callbacks.resendFailed.mutate({ sinceMs: counted.sinceMs, host });
      showToast(`${t('queued')} ${countText(queued, false, locale)}`);
      router.refresh();
    } catch (error) {
      showToast(messageOf(error), 'negative');
    }
    dialog.close();
    setBusy(false);
  };

  const choices: [number, string][] = [
    [1, t('hour')],
    [6, t('hours6')],
    [DEFAULT_HOURS, t('day')],
    [3 * 24, t('days3')],
    [7 * 24, t('week')],
    [31 * 24, t('month')],
  ];
  return (
    <TitledDialog
      dialog={dialog}
      opener={{
        className: 'button button-plain button-compact needs-script',
        children: t('resendAll'),
      }}
      title={t('resendTitle')}
      onOpenChange={(isOpen) => setQuestion(isOpen ? { hours } : null)}
    >
      <p className="mt-2 mb-4 text-muted">{t('resendText')}</p>
      <FormField id={`${id}-since`} label={host ? `${t('since')} (${host})` : t('since')}>
        <select
          ref={since}
          id={`${id}-since`}
          className={INPUT}
          value={hours}
          onChange={(event) => setQuestion({ hours: Number(event.target.value) })}
        >
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </FormField>
      <div aria-live="polite" className="mt-4 min-h-12 rounded-lg bg-sunk px-4 py-3">
        <Answer {...{ counted, failure, locale }} onAgain={countAgain} />
      </div>
      <DialogButtons
        confirm={t('resendConfirm')}
        back={back}
        isDisabled={isBusy || !counted || (counted.isWhole && counted.hosts.length === 0)}
        onConfirm={() => void send()}
      />
    </TitledDialog>
  );
}
