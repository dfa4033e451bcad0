'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a refusal: focuses the first field that is marked as faulty.
 *
 * @param fault what was refused, null while there is nothing to tell
 * @returns for the form
 */
export function useFaultFocus(fault: string | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);
  return form;
}
