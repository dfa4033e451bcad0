'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { type DialogHandle, useDialog } from './confirm-dialog.tsx';

/**
 * For a dialog that makes something after a question and shows it only once. The page stays
 * unchanged until the dialog closes, because the dialog's part may disappear then.
 *
 * @param work.make makes what is shown
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
      // The dialog may have been closed meanwhile, and the result is never shown again.
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
