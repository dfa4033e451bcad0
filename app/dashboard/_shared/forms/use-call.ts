'use client';

import { useState } from 'react';
import { messageOf } from '../failure-text.ts';

/**
 * Carries out a call of a form, and says whether it is under way and why it failed; `forget` is for
 * the form whose own faults keep the next one from being sent.
 *
 * @param inWords why, for the form to show; null where it is told elsewhere
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
