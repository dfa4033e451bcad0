import type { ComponentProps, ReactNode } from 'react';

/** A password is asked for by `PasswordInput`, which puts its button at the end. */
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
}: Omit<ComponentProps<'input'>, 'type'> &
  Kind & {
    id: string;
    label: string;
    hint?: string;
    /** Of the alert that says what is wrong with this field. */
    faultId?: string;
  }) {
  const descriptions = [faultId, hint && `${id}-hint`].filter(Boolean).join(' ');
  const field = (
    <input
      {...input}
      id={id}
      aria-invalid={faultId ? true : undefined}
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
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}
