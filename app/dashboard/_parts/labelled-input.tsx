import type { ComponentProps } from 'react';

/** A large input under its label, as on the pages before the dashboard; the hint stands below. */
export function LabelledInput({
  id,
  label,
  hint,
  faultId,
  className = '',
  ...input
}: ComponentProps<'input'> & {
  id: string;
  label: string;
  hint?: string;
  /** Of the alert that says what is wrong with this field. */
  faultId?: string;
}) {
  const descriptions = [faultId, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={faultId ? true : undefined}
        aria-describedby={descriptions || undefined}
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
