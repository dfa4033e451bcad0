'use client';

import { useState } from 'react';
import { messageOf } from '../failure-text.ts';

/**
 * Carries out a form's call, and tells whether it is under way and why it failed. `forget` serves a
 * form whose own faults stop the next call.
 *
 * @param inWords the reason, for the form to show; null if it is told elsewhere
 */
export function useCall(inWords: (error: unknown) => string | null = messageOf) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const call = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(inWords(error));
    }
    setBusy(false);
  };
  return { call, isBusy, fault, forget: () => setFault(null) };
}
