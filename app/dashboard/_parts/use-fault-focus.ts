'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a refusal: focuses the first field that is marked as faulty, or else the button, which was
 * disabled while it was pressed and has lost the focus.
 *
 * @param fault what was refused, null while there is nothing to tell
 * @returns for the form
 */
export function useFaultFocus(fault: string | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault === null) return;
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (faulty) faulty.focus();
    else if (!form.current?.contains(document.activeElement)) {
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    }
  }, [fault]);
  return form;
}
