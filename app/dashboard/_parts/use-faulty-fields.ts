'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * After a refusal: marks the fields it is about, has its alert describe them, and focuses the
 * first, since the pressed button was disabled and has lost the focus.
 *
 * @param fault what was refused, null while there is nothing to tell
 * @param ids of the fields, with spaces in between; empty where no field is to blame
 * @returns for the form, whose alert has an id
 */
export function useFaultyFields(
  fault: string | null,
  ids: string,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const whole = form.current;
    if (fault === null || !whole) return;
    const alert = whole.querySelector('[role="alert"]')?.id ?? '';
    const fields = [...whole.querySelectorAll('input')].filter(({ id }) =>
      ids.split(' ').includes(id),
    );
    const hints = fields.map((field) => field.getAttribute('aria-describedby'));
    for (const [index, field] of fields.entries()) {
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute('aria-describedby', `${alert} ${hints[index] ?? ''}`.trim());
    }
    if (fields[0]) fields[0].focus();
    else if (!whole.contains(document.activeElement)) {
      whole.querySelector<HTMLElement>('[type="submit"]')?.focus();
    }
    return () => {
      for (const [index, field] of fields.entries()) {
        field.removeAttribute('aria-invalid');
        const hint = hints[index];
        if (hint) field.setAttribute('aria-describedby', hint);
        else field.removeAttribute('aria-describedby');
      }
    };
  }, [fault, ids]);
  return form;
}
