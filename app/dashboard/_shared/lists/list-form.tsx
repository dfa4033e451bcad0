'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/**
 * A plain form that requests the same address with other filters. It works without script; the
 * script leaves default values out of the address.
 *
 * @param usual the fields' default values, several of a name separated by commas
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
