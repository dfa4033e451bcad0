'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/**
 * A plain form that requests the same address with other filters. It works without script; the
 * script leaves empty fields out of the address, and moves into a popover that opens.
 */
export function ListForm({
  path,
  className,
  children,
}: {
  path: string;
  className: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const shorten = ({ formData }: FormDataEvent) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
    };
    const enter = ({ target, newState }: ToggleEvent) => {
      if (newState !== 'open' || !(target instanceof HTMLElement)) return;
      target.querySelector<HTMLElement>('[aria-current], input:not([type=hidden])')?.focus();
    };
    const { current } = form;
    current?.addEventListener('formdata', shorten);
    // The event does not bubble.
    current?.addEventListener('toggle', enter, true);
    return () => {
      current?.removeEventListener('formdata', shorten);
      current?.removeEventListener('toggle', enter, true);
    };
  }, []);
  return (
    <form ref={form} action={path} className={className}>
      {children}
    </form>
  );
}
