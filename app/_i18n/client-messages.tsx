import type { ReactNode } from 'react';
import { type Namespace, pickMessages } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { MessagesProvider } from './messages-provider.tsx';

/**
 * Gives the parts of a page that run in the browser their words, for `useTranslations`: those of
 * `namespaces` and of every enclosing `ClientMessages`, and no others, because they travel in the
 * page.
 */
export function ClientMessages({
  locale,
  namespaces,
  children,
}: {
  locale: Locale;
  namespaces: Namespace[];
  children: ReactNode;
}) {
  return <MessagesProvider {...pickMessages(locale, namespaces)}>{children}</MessagesProvider>;
}
