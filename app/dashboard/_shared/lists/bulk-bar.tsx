'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CrossIcon } from '#app/_ui/icons.tsx';
import type { Environment } from '#server/merchants/types.ts';
import type { Deeds } from '#server/trpc/deeds.ts';
import { dashboardClient } from '../client.ts';
import { messageOf } from '../failure-text.ts';
import { DialogButtons, TitledDialog, useDialog } from '../forms/confirm-dialog.tsx';
import { showToast } from '../show-toast.ts';
import type { Deed } from './select-box.tsx';
import { type Selected, useSelection } from './use-selection.ts';

/** Does it to all of them, in one call. */
function send(environment: Environment, deed: Deed, ids: string[]): Promise<Deeds> {
  const { invoices, callbacks } = dashboardClient(environment);
  return deed === 'cancel'
    ? invoices.cancelEach.mutate({ invoiceIds: ids })
    : callbacks.resendEach.mutate({ names: ids });
}

type Answer = { asked: Selected[]; deeds: Deeds };

/** To how many it was done, and why not to the others, by their names. */
function Outcome({ deed, answer: { asked, deeds } }: { deed: Deed; answer: Answer }) {
  const t = useTranslations('dashboard.bulk');
  return (
    <>
      <p className="mt-2">{t(`${deed}.done`, { count: deeds.done })}</p>
      <p className="mt-3 font-medium">{t('refused', { count: deeds.refused.length })}</p>
      <ul className="mt-1 grid max-h-60 gap-2 overflow-y-auto text-sm [overflow-wrap:anywhere]">
        {deeds.refused.map(({ at, reason }) => (
          <li key={at}>
            <bdi className="font-medium">{asked[at]?.name}</bdi>
            <span className="block text-muted">{reason}</span>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex justify-end">
        <Dialog.Close className="button button-primary">{t('close')}</Dialog.Close>
      </div>
    </>
  );
}

/** A deed's button, its question, and what came of it if not everything was done. */
function BulkDeed({
  environment,
  deed,
  selected,
  onDone,
}: {
  environment: Environment;
  deed: Deed;
  selected: Selected[];
  onDone: () => void;
}) {
  const t = useTranslations('dashboard.bulk');
  const dialog = useDialog();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const asked = selected.filter(({ can }) => can.includes(deed));
  const others = selected.length - asked.length;
  const act = async () => {
    setBusy(true);
    try {
      const deeds = await send(
        environment,
        deed,
        asked.map(({ id }) => id),
      );
      if (deeds.refused.length > 0) setAnswer({ asked, deeds });
      else {
        showToast(t(`${deed}.done`, { count: deeds.done }));
        dialog.close();
        onDone();
      }
      router.refresh();
    } catch (error) {
      showToast(messageOf(error), 'negative');
      dialog.close();
    }
    setBusy(false);
  };
  return (
    <TitledDialog
      dialog={dialog}
      opener={{
        disabled: asked.length === 0 && answer === null,
        className: `button button-compact disabled:cursor-default disabled:opacity-50 ${
          deed === 'cancel' ? 'button-danger' : 'button-plain'
        }`,
        children: t(`${deed}.open`, { count: asked.length }),
      }}
      title={t(`${deed}.title`)}
      onOpenChange={(isOpen) => {
        if (isOpen || answer === null) return;
        setAnswer(null);
        onDone();
      }}
    >
      {answer ? (
        <Outcome deed={deed} answer={answer} />
      ) : (
        <>
          <p className="mt-2 text-muted">{t(`${deed}.text`, { count: asked.length })}</p>
          {others > 0 && (
            <p className="mt-2 text-muted">
              {t(deed === 'cancel' ? 'cancel.others' : 'resend.others', { count: others })}
            </p>
          )}
          <DialogButtons
            confirm={t(`${deed}.confirm`)}
            back={t('back')}
            isDisabled={isBusy}
            isDestructive={deed === 'cancel'}
            onConfirm={() => void act()}
          />
        </>
      )}
    </TitledDialog>
  );
}

/** Stands at the foot of the window while boxes are ticked. */
export function BulkBar({
  environment,
  deeds,
}: {
  environment: Environment;
  deeds: readonly Deed[];
}) {
  const t = useTranslations('dashboard.bulk');
  const { selected, clear } = useSelection();
  return (
    <>
      <p role="status" className="sr-only">
        {selected.length > 0 && t('selected', { count: selected.length })}
      </p>
      {selected.length > 0 && (
        <section
          aria-label={t('title')}
          className="card sticky bottom-3 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-2 p-2 max-sm:w-auto"
        >
          <p className="mr-auto px-2 font-medium text-sm tabular-nums">
            {t('selected', { count: selected.length })}
          </p>
          {deeds.map((deed) => (
            <BulkDeed key={deed} {...{ environment, deed, selected }} onDone={clear} />
          ))}
          <button
            type="button"
            aria-label={t('clear')}
            onClick={clear}
            className="grid size-10 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink pointer-coarse:size-11 max-sm:order-first"
          >
            <CrossIcon className="size-4" />
          </button>
        </section>
      )}
    </>
  );
}
