import type { ReactNode } from 'react';

/** The look of inputs in the dashboard: a little lower than the payment page's. */
export const INPUT = 'field-input !min-h-10 !py-1.5 !text-base';

/** A small label over an input. */
export function FormField({
  id,
  label,
  hint,
  className = 'min-w-0',
  children,
}: {
  id: string;
  label: string;
  /** The hint stands below; give the input `aria-describedby={`${id}-hint`}`. */
  hint?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium text-muted text-sm">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}
