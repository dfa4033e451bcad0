'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import { dashboardClient } from './client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

const OVERLAP_HOURS = 24;

/** Makes a new signing secret after a question, and shows it, this once. */
export function SecretRotation({
  environment,
  t,
  back,
}: {
  environment: Environment;
  t: DashboardMessages['developers'];
  back: string;
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
      setSecret((await developers.rotateSecret.mutate({ overlapHours: OVERLAP_HOURS })).secret);
      router.refresh();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
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
        {t.rotateText}
      </ConfirmDialog>
    </div>
  );
}
