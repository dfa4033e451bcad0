'use client';

import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { BusyButton } from './busy-button.tsx';

export type DialogHandle = Dialog.Handle<unknown>;

/** Opens and closes a dialog from outside its own buttons. */
export function useDialog(): DialogHandle {
  return useState(() => Dialog.createHandle())[0];
}

/** A dialog over the page, named by its title, and the button that opens it. */
export function TitledDialog({
  dialog,
  opener,
  title,
  width = 'max-w-md',
  onOpenChange,
  children,
}: {
  dialog: DialogHandle;
  opener: Dialog.Trigger.Props;
  title: string;
  width?: 'max-w-md' | 'max-w-lg';
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Dialog.Root handle={dialog} disablePointerDismissal onOpenChange={onOpenChange}>
      <Dialog.Trigger {...opener} />
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/50" />
        <Dialog.Popup
          className={`card fixed inset-0 z-30 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] ${width} overflow-y-auto p-6 text-ink outline-none`}
        >
          <Dialog.Title className="font-semibold text-lg">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The buttons back and forward. */
export function DialogButtons({
  confirm,
  back,
  isDisabled,
  isDestructive = false,
  onConfirm,
}: {
  confirm: string;
  back: string;
  isDisabled: boolean;
  isDestructive?: boolean | undefined;
  onConfirm: () => void;
}) {
  return (
    <div className="mt-6 flex flex-wrap justify-end gap-2">
      <Dialog.Close className="button button-plain">{back}</Dialog.Close>
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

/** Says in advance what will happen. */
export function ConfirmDialog({
  isBusy,
  children,
  confirm,
  back,
  isDestructive,
  onConfirm,
  ...dialog
}: {
  dialog: DialogHandle;
  opener: Dialog.Trigger.Props;
  title: string;
  confirm: string;
  back: string;
  isBusy: boolean;
  isDestructive?: boolean | undefined;
  onConfirm: () => void;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <TitledDialog {...dialog}>
      <div className="mt-2 text-muted [overflow-wrap:anywhere]">{children}</div>
      <DialogButtons {...{ confirm, back, isDestructive, onConfirm }} isDisabled={isBusy} />
    </TitledDialog>
  );
}
