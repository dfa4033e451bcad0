'use client';

import type { ComponentProps } from 'react';
import { FieldFault } from './field-fault.tsx';
import { INPUT } from './form-field.tsx';
import { useOwnFault } from './use-own-fault.ts';

/** An input of a `FormField` that says itself what the browser finds wrong with it. */
export function CheckedInput({
  id,
  className = INPUT,
  ...input
}: Omit<ComponentProps<'input'>, 'onInvalid' | 'onInput'> & { id: string }) {
  const { fault, handlers } = useOwnFault();
  const hints = input['aria-describedby'];
  return (
    <>
      <input
        {...input}
        {...handlers}
        id={id}
        aria-invalid={fault ? true : input['aria-invalid']}
        aria-describedby={fault ? [`${id}-own-fault`, hints].filter(Boolean).join(' ') : hints}
        className={className}
      />
      <FieldFault id={`${id}-own-fault`} text={fault} />
    </>
  );
}
