import type { ComponentProps } from 'react';

/**
 * A form that only its script sends. Its method is for a dialog, which there is none: Enter before
 * the script is there sends nothing, where a form without a method would put all that is typed,
 * passwords too, into the address.
 */
export function ScriptForm(form: Omit<ComponentProps<'form'>, 'method' | 'action'>) {
  return <form {...form} method="dialog" />;
}
