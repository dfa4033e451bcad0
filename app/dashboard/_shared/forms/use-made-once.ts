'use client';

import { useRouter } from 'next/navigation';
import { type RefObject, useRef, useState } from 'react';

/**
 * For a dialog that makes something after a question and shows it, this once. Until it is closed
 * the page stays as it was: what the dialog belongs to may be gone from it then.
 *
 * @param work.make what to show
 * @param work.failed told why there is nothing; the dialog closes
 */
export function useMadeOnce<Made>(work: {
  make: () => Promise<Made>;
  failed: (error: unknown) => void;
}): {
  dialog: RefObject<HTMLDialogElement | null>;
  made: Made | null;
  isBusy: boolean;
  open: () => void;
  close: () => void;
  /** For the dialog's own end, by whatever way. */
  onClose: () => void;
  make: () => void;
} {
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const [made, setMade] = useState<Made | null>(null);
  const [isBusy, setBusy] = useState(false);
  const close = () => dialog.current?.close();

  const make = async () => {
    setBusy(true);
    try {
      setMade(await work.make());
      // It may have been closed meanwhile, and there is no second sight of it.
      if (!dialog.current?.open) dialog.current?.showModal();
    } catch (error) {
      work.failed(error);
      close();
    }
    setBusy(false);
  };

  return {
    dialog,
    made,
    isBusy,
    open: () => dialog.current?.showModal(),
    close,
    onClose: () => {
      if (made === null) return;
      setMade(null);
      router.refresh();
    },
    make: () => void make(),
  };
}
