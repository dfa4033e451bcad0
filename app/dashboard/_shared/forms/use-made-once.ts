'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { type DialogHandle, useDialog } from './confirm-dialog.tsx';

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
  dialog: DialogHandle;
  made: Made | null;
  isBusy: boolean;
  onOpenChange: (isOpen: boolean) => void;
  make: () => void;
} {
  const router = useRouter();
  const dialog = useDialog();
  const [made, setMade] = useState<Made | null>(null);
  const [isBusy, setBusy] = useState(false);

  const make = async () => {
    setBusy(true);
    try {
      setMade(await work.make());
      // It may have been closed meanwhile, and there is no second sight of it.
      if (!dialog.isOpen) dialog.open(null);
    } catch (error) {
      work.failed(error);
      dialog.close();
    }
    setBusy(false);
  };

  return {
    dialog,
    made,
    isBusy,
    onOpenChange: (isOpen) => {
      if (isOpen || made === null) return;
      setMade(null);
      router.refresh();
    },
    make: () => void make(),
  };
}
