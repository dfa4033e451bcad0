import { isWord, messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AuditItem } from '#server/trpc/rows.ts';

/** An action's own name, such as for a filter: without the details that only an entry has. */
export function actionName(action: string, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.audit.actionNames');
  return isWord(t, action) ? t(action) : action;
}

/**
 * The author's name in the log: an address or, for an author that is not a person, its own name,
 * with the account of a command's author.
 */
export function actorName(label: string, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.audit');
  if (label === 'sandbox token') return t('sandboxToken');
  if (label === 'API token') return t('apiToken');
  return label.replace(/^gateway command(?= \(|$)/, t('gateway'));
}

/** The names of the settings in an entry; null if none has a name. */
function fieldNames(details: AuditItem['details'], locale: Locale): string | null {
  const fields: Record<string, string> = messagesAt(locale, 'dashboard.audit.fields');
  const names = Object.keys(details).flatMap((key) => fields[key] ?? []);
  return names.length > 0 ? names.join(', ') : null;
}

/** The places of a role in a sentence. */
const ROLE_PLACES = new Set(['role', 'from', 'to']);

/**
 * An action in plain words. The action's name stands for missing words, and for a sentence whose
 * detail the entry does not have.
 *
 * @param named renders a name that somebody chose within a sentence, as on a screen
 */
export function describeEntry(
  { action, details: kept }: Pick<AuditItem, 'action' | 'details'>,
  locale: Locale,
  named: (name: string) => string = (name) => name,
): string {
  const t = translatorOf(locale, 'dashboard.audit.actions');
  if (!isWord(t, action)) return action;
  const roles: Record<string, string> = messagesAt(locale, 'dashboard.roles');
  const details: AuditItem['details'] = { ...kept, fields: fieldNames(kept, locale) };
  const values: Record<string, string> = {};
  for (const [, place = ''] of String(t.raw(action)).matchAll(/\{(\w+)\}/g)) {
    const value = details[place] ?? null;
    if (value === null) return actionName(action, locale);
    const text = String(value);
    if (place === 'name') values[place] = named(text);
    else values[place] = ROLE_PLACES.has(place) ? (roles[text] ?? text) : text;
  }
  return t(action, values);
}
