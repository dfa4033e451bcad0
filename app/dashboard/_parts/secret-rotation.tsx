'use client';

import { TRPCClientError } from '@trpc/client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import { dashboardClient } from './client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

const OVERLAP_HOURS = 24;

/**
 * Makes a new signing secret after a question, and shows it, this once.
 *
 * @param leaving the secret that is on its way out, which a further rotation ends at once
 */
export function SecretRotation({
  environment,
  t,
  back,
  leaving,
}: {
  environment: Environment;
  t: DashboardMessages['developers'];
  back: string;
  leaving: { id: string; signsSince: ReactNode } | null;
}) {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const rotate = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { developers } = dashboardClient(environment);
      const wish = { overlapHours: OVERLAP_HOURS, endsSecretId: leaving?.id ?? null };
      setSecret((await developers.rotateSecret.mutate(wish)).secret);
      router.refresh();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      // Another secret is on its way out than this page knows: the next question names it.
      if (error instanceof TRPCClientError && error.data?.code === 'CONFLICT') router.refresh();
    }
    dialog.current?.close();
    setBusy(false);
  };

  return (
    <div className="grid justify-items-start gap-4">
      <button
        type="button"
        className="button button-plain"
        onClick={() => dialog.current?.showModal()}
      >
        {t.rotate}
      </button>
      <div role="alert">{failure && <p className="field-error">{failure}</p>}</div>
      {secret && <ShownOnce value={secret} note={t.shownOnce} copy={t.copy} copied={t.copied} />}
      <ConfirmDialog
        dialog={dialog}
        title={t.rotateTitle}
        confirm={t.rotate}
        back={back}
        isBusy={isBusy}
        onConfirm={() => void rotate()}
      >
        <p>{t.rotateText}</p>
        {leaving && (
          <p className="mt-3 text-caution">
            {t.endsNow} {leaving.signsSince}. {t.endsNowText}
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}
