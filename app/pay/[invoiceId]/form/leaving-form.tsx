'use client';

import {
  type ComponentProps,
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useState,
} from 'react';
import { payingNow } from './paying-now.ts';

/** The wait for an acquirer ends after this long; the navigation has then been given up. */
const GIVEN_UP_AFTER_MS = 20_000;

/**
 * A form whose answer leads away from the page. The pressed button has `data-going` until then, and
 * its `data-says` is told to a screen reader; a second press is ignored, and the page stays unchanged.
 */
export function LeavingForm({
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'method' | 'onSubmit'>) {
  const [pressed, setPressed] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!pressed) return;
    payingNow.current = true;
    pressed.setAttribute('data-going', '');
    const stay = () => setPressed(null);
    const timer = setTimeout(stay, GIVEN_UP_AFTER_MS);
    // A buyer who comes back by the browser finds the page as it was left.
    window.addEventListener('pageshow', stay);
    return () => {
      payingNow.current = false;
      pressed.removeAttribute('data-going');
      clearTimeout(timer);
      window.removeEventListener('pageshow', stay);
    };
  }, [pressed]);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent;
    if (pressed || payingNow.current) event.preventDefault();
    else setPressed(submitter);
  };
  // Enter in the field would press the first of several ways to pay, which nobody has chosen.
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    const isInField = event.target instanceof HTMLInputElement;
    const buttons = event.currentTarget.querySelectorAll('[type=submit]');
    if (event.key === 'Enter' && isInField && buttons.length > 1) event.preventDefault();
  };
  return (
    <form {...form} method="post" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      {children}
      <p role="status" className="sr-only">
        {pressed?.dataset.says}
      </p>
    </form>
  );
}
