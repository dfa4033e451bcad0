'use client';

import { type ComponentProps, type SubmitEvent, useEffect, useState } from 'react';
import { payingNow } from './paying-now.ts';

/** The wait for an acquirer ends after this long; the navigation has then been given up. */
const GIVEN_UP_AFTER_MS = 20_000;

/**
 * A form whose answer leads away from the page. It has `data-going` until then, ignores a second
 * press, and keeps the page unchanged.
 */
export function LeavingForm({
  going,
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'method' | 'onSubmit'> & {
  /** The message to a screen reader meanwhile. */
  going: string;
}) {
  const [isGoing, setGoing] = useState(false);
  useEffect(() => {
    if (!isGoing) return;
    payingNow.current = true;
    const stay = () => setGoing(false);
    const timer = setTimeout(stay, GIVEN_UP_AFTER_MS);
    // A buyer who comes back by the browser finds the page as it was left.
    window.addEventListener('pageshow', stay);
    return () => {
      payingNow.current = false;
      clearTimeout(timer);
      window.removeEventListener('pageshow', stay);
    };
  }, [isGoing]);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    if (isGoing || payingNow.current) event.preventDefault();
    else setGoing(true);
  };
  return (
    <form {...form} method="post" data-going={isGoing || undefined} onSubmit={onSubmit}>
      {children}
      <p role="status" className="sr-only">
        {isGoing && going}
      </p>
    </form>
  );
}
