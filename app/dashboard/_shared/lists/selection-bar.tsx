import { ClientMessages } from '#app/_i18n/client-messages.tsx';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { Deed } from './select-box.tsx';

/** What can be done to the rows whose boxes are ticked; last on a page, at the foot of the window. */
export function SelectionBar({
  locale,
  ...bar
}: {
  locale: Locale;
  environment: Environment;
  deeds: readonly Deed[];
}) {
  if (bar.deeds.length === 0) return null;
  return (
    <ClientMessages locale={locale} namespaces={['dashboard.bulk']}>
      <BulkBar {...bar} />
    </ClientMessages>
  );
}
