import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import type { Locale } from '#server/lib/locales.ts';
import { KeyboardHelp } from './keyboard-help.tsx';

/**
 * A list's keys, and the button that tells them; rows are links marked `data-row`.
 *
 * @param props.selects whether rows have boxes
 */
export function ListKeys({ locale, selects = false }: { locale: Locale; selects?: boolean }) {
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.keys']}>
      <KeyboardHelp selects={selects} />
    </ClientMessages>
  );
}
