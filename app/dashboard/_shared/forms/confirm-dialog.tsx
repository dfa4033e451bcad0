'use client';

import { type ReactNode, type RefObject, useId } from 'react';
import { BusyButton } from './busy-button.tsx';

type DialogRef = RefObject<HTMLDialogElement | null>;

/** A dialog over the page that is named by its title. */
export function TitledDialog({
  dialog,
  title,
  width = 'max-w-md',
  onClose,
  children,
}: {
  dialog: DialogRef;
  title: string;
  width?: 'max-w-md' | 'max-w-lg';
  onClose?: () => void;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`card m-auto w-[calc(100%-2rem)] ${width} p-6 text-ink backdrop:bg-black/50`}
      onClose={onClose}
    >
      <h2 id={titleId} className="font-semibold text-lg">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The way back, and the way on. */
export function DialogButtons({
  dialog,
  confirm,
  back,
  isDisabled,
  isDestructive = false,
  onConfirm,
}: {
  dialog: DialogRef;
  confirm: string;
  back: string;
  isDisabled: boolean;
  isDestructive?: boolean | undefined;
  onConfirm: () => void;
}) {
  return (
    <div className="mt-6 flex flex-wrap justify-end gap-2">
      <button type="button" className="button button-plain" onClick={() => dialog.current?.close()}>
        {back}
      </button>
      <BusyButton
        type="button"
        className={`button ${
          isDestructive ? 'button-danger-solid' : 'button-primary'
        } aria-disabled:cursor-not-allowed`}
        isBusy={isDisabled}
        onClick={onConfirm}
      >
        {confirm}
      </BusyButton>
    </div>
  );
}

/** Says what will happen before it does. */
export function ConfirmDialog({
  title,
  onBack,
  isBusy,
  children,
  ...buttons
}: {
  dialog: DialogRef;
  title: string;
  confirm: string;
  back: string;
  isBusy: boolean;
  isDestructive?: boolean | undefined;
  onConfirm: () => void;
  onBack?: () => void;
  children: ReactNode;
}) {
  return (
    <TitledDialog dialog={buttons.dialog} title={title} onClose={onBack}>
      <div className="mt-2 text-muted [overflow-wrap:anywhere]">{children}</div>
      <DialogButtons {...buttons} isDisabled={isBusy} />
    </TitledDialog>
  );
}
