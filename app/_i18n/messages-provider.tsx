'use client';

import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { PickedMessages } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';

const Outer = createContext<PickedMessages>({});

function merged(outer: PickedMessages, inner: PickedMessages): PickedMessages {
  const all = { ...outer };
  for (const [name, words] of Object.entries(inner)) {
    const known = all[name];
    const isGroup = typeof known === 'object' && typeof words === 'object';
    all[name] = isGroup ? merged(known, words) : words;
  }
  return all;
}

function fail(error: Error): never {
  throw error;
}

/** As `ClientMessages`, which picks what it is given. */
export function MessagesProvider({
  locale,
  messages,
  children,
}: {
  locale: Locale;
  messages: PickedMessages;
  children: ReactNode;
}) {
  const outer = useContext(Outer);
  const all = useMemo(() => merged(outer, messages), [outer, messages]);
  return (
    <Outer value={all}>
      <IntlProvider locale={locale} messages={all} timeZone="UTC" onError={fail}>
        {children}
      </IntlProvider>
    </Outer>
  );
}
