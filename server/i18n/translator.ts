import {
  createTranslator,
  type NamespaceKeys,
  type NestedKeyOf,
  type NestedValueOf,
} from 'use-intl/core';
import { DEFAULT_LOCALE, LOCALES, type Locale, languageOf } from '../lib/locales.ts';
import { uzbekCyrillicMessage } from '../lib/uzbek-cyrillic.ts';
import type english from './messages/en.json';

/** All texts of a language. English has each of them, so its keys are the valid ones. */
export type Messages = typeof english;
/** A part translated as a whole, e.g. the payment page: a language has all its texts or none. */
export type Surface = keyof Messages & string;
/** The path of a group of texts, e.g. `pay.form`. */
export type Namespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>;

/** Returns the texts of a group in one language: `t('title')`, `t('items', { count })`. */
export type Translator<Group extends Namespace> = ReturnType<
  typeof createTranslator<Messages, Group>
>;

declare module 'use-intl/core' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** Some groups of a catalogue, with the same nesting. */
export type PickedMessages = { [name: string]: string | PickedMessages };

function inCyrillic(messages: PickedMessages): PickedMessages {
  return Object.fromEntries(
    Object.entries(messages).map(([name, each]) => [
      name,
      typeof each === 'string' ? uzbekCyrillicMessage(each) : inCyrillic(each),
    ]),
  );
}

async function readMessages(locale: Locale): Promise<Partial<Messages>> {
  if (locale === 'uz-Cyrl') {
    const { site, pay } = (await readMessages('uz')) as Messages;
    return inCyrillic({ site, pay }) as Partial<Messages>;
  }
  const file = await import(`./messages/${locale}.json`, { with: { type: 'json' } });
  return file.default;
}

const catalogues = new Map(
  await Promise.all(LOCALES.map(async (locale) => [locale, await readMessages(locale)] as const)),
);

/** The languages of a surface: those whose catalogue has its texts. */
export function localesOf(surface: Surface): Locale[] {
  return LOCALES.filter((locale) => catalogues.get(locale)?.[surface] !== undefined);
}

/** The language of a surface for a person who asks for `locale`: the closest one. */
export function spokenLocale(locale: Locale, surface: Surface): Locale {
  const spoken = localesOf(surface);
  return [locale, languageOf(locale)].find((each) => spoken.includes(each)) ?? DEFAULT_LOCALE;
}

function surfaceOf(namespace: Namespace): Surface {
  return namespace.split('.')[0] as Surface;
}

/** A group of texts as in the catalogue, e.g. for a component in the browser that picks one. */
export function messagesAt<Group extends Namespace>(
  locale: Locale,
  namespace: Group,
): NestedValueOf<Messages, Group> {
  const found = namespace
    .split('.')
    .reduce<unknown>(
      (group, name) => (group as Record<string, unknown>)[name],
      catalogues.get(spokenLocale(locale, surfaceOf(namespace))),
    );
  return found as NestedValueOf<Messages, Group>;
}

/** The texts of some groups of one surface, and their language. */
export function pickMessages(
  locale: Locale,
  namespaces: Namespace[],
): { locale: Locale; messages: PickedMessages } {
  const messages: PickedMessages = {};
  for (const namespace of namespaces) {
    const path = namespace.split('.');
    const last = path.pop() as string;
    let group = messages;
    for (const name of path) {
      const inner = (group[name] ?? {}) as PickedMessages;
      group[name] = inner;
      group = inner;
    }
    group[last] = messagesAt(locale, namespace) as PickedMessages;
  }
  const [first] = namespaces;
  return { locale: first ? spokenLocale(locale, surfaceOf(first)) : locale, messages };
}

// A translator caches the messages that it has parsed.
const translators = new Map<string, unknown>();

/**
 * Returns the texts of a group in a language, or in the closest one that its surface has.
 * Throws for a missing text or value: that is our own fault, which tests find.
 */
export function translatorOf<Group extends Namespace>(
  locale: Locale,
  namespace: Group,
): Translator<Group> {
  const spoken = spokenLocale(locale, surfaceOf(namespace));
  const key = `${spoken} ${namespace}`;
  const known = translators.get(key);
  if (known) return known as Translator<Group>;
  const made = createTranslator<Messages, Group>({
    locale: spoken,
    messages: catalogues.get(spoken) as Messages,
    namespace,
    timeZone: 'UTC',
    onError: (error) => {
      throw error;
    },
  });
  translators.set(key, made);
  return made;
}

/** Whether a group has a text for a value from data, e.g. for an action's name. */
export function isWord<Key extends string>(
  t: { has: (key: Key) => boolean; raw: (key: Key) => unknown },
  key: string,
): key is Key {
  return t.has(key as Key) && typeof t.raw(key as Key) === 'string';
}
