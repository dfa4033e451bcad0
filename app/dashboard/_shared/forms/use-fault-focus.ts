'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a refusal, focuses the first field that is marked as faulty.
 *
 * @param fault the refusal, null while there is none
 * @returns the form's ref
 */
export function useFaultFocus(fault: string | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [fault]);
  return form;
}
