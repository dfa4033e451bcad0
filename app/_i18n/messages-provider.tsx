'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { createTranslator } from 'use-intl/core';
import { IntlProvider } from 'use-intl/react';
import type { Messages, Namespace, PickedMessages, Translator } from '#server/i18n/translator.ts';
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

let ofPage: { locale: Locale; messages: PickedMessages } | undefined;

/** The page's words for code that is not part of the page, such as the client of the procedures. */
export function pageTranslator<Group extends Namespace>(namespace: Group): Translator<Group> {
  if (!ofPage) throw new Error('no page with words is shown');
  const messages = ofPage.messages as Messages;
  return createTranslator({ locale: ofPage.locale, messages, namespace, onError: fail });
}

/** Provides exactly the words it is given; `ClientMessages` picks them. */
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
  useEffect(() => {
    ofPage = { locale, messages: all };
  }, [locale, all]);
  return (
    <Outer value={all}>
      <IntlProvider locale={locale} messages={all} timeZone="UTC" onError={fail}>
        {children}
      </IntlProvider>
    </Outer>
  );
}
