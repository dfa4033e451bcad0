'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/**
 * A plain form that asks for the same address with other filters: works before any script, which
 * then leaves out of the address what says nothing.
 *
 * @param usual what fields say that are as they always are, with commas between several of a name
 */
export function ListForm({
  path,
  usual = '',
  className,
  children,
}: {
  path: string;
  usual?: string;
  className: string;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const shorten = ({ formData }: FormDataEvent) => {
      for (const name of new Set(formData.keys())) {
        const value = formData.getAll(name).join(',');
        if (value === '' || value === usual) formData.delete(name);
        else formData.set(name, value);
      }
    };
    const { current } = form;
    current?.addEventListener('formdata', shorten);
    return () => current?.removeEventListener('formdata', shorten);
  }, [usual]);
  return (
    <form ref={form} action={path} className={className}>
      {children}
    </form>
  );
}
