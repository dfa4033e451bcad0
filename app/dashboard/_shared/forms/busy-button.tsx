'use client';

import type { ComponentProps } from 'react';

/**
 * A button that cannot be pressed while its work is under way, nor by Enter in its form. `disabled`
 * would take the focus away from a keyboard user.
 */
export function BusyButton({
  isBusy,
  onClick,
  ...button
}: Omit<ComponentProps<'button'>, 'disabled'> & { isBusy: boolean }) {
  return (
    <button
      type="button"
      {...button}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
