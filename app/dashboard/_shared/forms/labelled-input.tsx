'use client';

import type { ComponentProps, ReactNode } from 'react';
import { FieldFault } from './field-fault.tsx';
import { useOwnFault } from './use-own-fault.ts';

/** `PasswordInput` asks for a password and has its button at the end. */
type Kind = { type?: 'text' | 'email'; end?: undefined } | { type: string; end: ReactNode };

/** A large input under its label, as on the pages before the dashboard; the hint stands below. */
export function LabelledInput({
  id,
  label,
  hint,
  faultId,
  end,
  className = '',
  ...input
}: Omit<ComponentProps<'input'>, 'type' | 'onInvalid' | 'onInput'> &
  Kind & {
    id: string;
    label: string;
    hint?: string;
    /** The id of the alert about this field. */
    faultId?: string;
  }) {
  const { fault, handlers } = useOwnFault();
  const ownId = `${id}-own-fault`;
  const descriptions = [fault && ownId, faultId, hint && `${id}-hint`].filter(Boolean).join(' ');
  const field = (
    <input
      {...input}
      {...handlers}
      id={id}
      aria-invalid={faultId || fault ? true : undefined}
      aria-describedby={descriptions || undefined}
      className={`field-input ${className}`}
    />
  );
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {end ? (
        <div className="relative">
          {field}
          {end}
        </div>
      ) : (
        field
      )}
      <FieldFault id={ownId} text={fault} />
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}
