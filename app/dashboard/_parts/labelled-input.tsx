import type { ComponentProps } from 'react';

/** A large input under its label, as on the pages before the dashboard; the hint stands below. */
export function LabelledInput({
  id,
  label,
  hint,
  className = '',
  ...input
}: ComponentProps<'input'> & { id: string; label: string; hint?: string }) {
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className={`field-input ${className}`}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}
