'use client';

import { type ReactNode, type RefObject, useId } from 'react';

/** Says what will happen before it does. */
export function ConfirmDialog({
  dialog,
  title,
  confirm,
  back,
  isBusy,
  onConfirm,
  onBack,
  children,
}: {
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  confirm: string;
  back: string;
  isBusy: boolean;
  onConfirm: () => void;
  onBack?: () => void;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="card m-auto w-full max-w-md p-6 text-ink backdrop:bg-black/50"
      onClose={onBack}
    >
      <h2 id={titleId} className="font-semibold text-lg">
        {title}
      </h2>
      <div className="mt-2 text-muted [overflow-wrap:anywhere]">{children}</div>
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
          onClick={onConfirm}
        >
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
