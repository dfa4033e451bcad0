'use client';

import { useRef, useState } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import { dashboardClient } from './client.ts';
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
      <dialog
        ref={dialog}
        aria-labelledby="rotate-title"
        className="card m-auto w-full max-w-md p-6 text-ink backdrop:bg-black/50"
      >
        <h2 id="rotate-title" className="font-semibold text-lg">
          {t.rotateTitle}
        </h2>
        <p className="mt-2 text-muted">{t.rotateText}</p>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <button
            type="button"
            className="button button-plain"
            onClick={() => dialog.current?.close()}
          >
            {back}
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={isBusy}
            onClick={() => void rotate()}
          >
            {t.rotate}
          </button>
        </div>
      </dialog>
    </div>
  );
}
