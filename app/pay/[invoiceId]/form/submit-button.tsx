'use client';

import type { ComponentProps } from 'react';
import { useFormStatus } from 'react-dom';

/** A button of a plain form that cannot be pressed twice. */
export function SubmitButton(props: ComponentProps<'button'>) {
  const { pending } = useFormStatus();
  return <button type="submit" disabled={pending} {...props} />;
}
