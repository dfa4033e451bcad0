'use client';

import type { ComponentProps } from 'react';
import { readAmount } from '#server/lib/money.ts';
import { FieldFault } from './field-fault.tsx';
import { INPUT } from './form-field.tsx';
import { useOwnFault } from './use-own-fault.ts';

/** An input of a `FormField` that itself reports the browser's faults. */
export function CheckedInput({
  id,
  className = INPUT,
  takes,
  ...input
}: Omit<ComponentProps<'input'>, 'onInvalid' | 'onInput'> & {
  id: string;
  takes?: Parameters<typeof useOwnFault>[0];
}) {
  const { fault, handlers } = useOwnFault(takes);
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

/** An amount, or none; the title describes the format. */
export function AmountInput(input: {
  id: string;
  name: string;
  title: string;
  defaultValue: string;
}) {
  const takes = (text: string) => text.trim() === '' || readAmount(text) !== null;
  return <CheckedInput {...input} inputMode="decimal" takes={takes} />;
}
