import { isWord, messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { AuditItem } from '#server/trpc/rows.ts';

/** An action by its own name, e.g. for a filter: without the details that only an entry has. */
export function actionName(action: string, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.audit.actionNames');
  return isWord(t, action) ? t(action) : action;
}

/**
 * Who did something, by the name that the log keeps: an address, or of whatever is no person its own,
 * with the account of who gave a command.
 */
export function actorName(label: string, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.audit');
  if (label === 'sandbox token') return t('sandboxToken');
  return label.replace(/^gateway command(?= \(|$)/, t('gateway'));
}

/** Which settings an entry keeps, by name; null where it keeps none that has one. */
function fieldNames(details: AuditItem['details'], locale: Locale): string | null {
  const fields: Record<string, string> = messagesAt(locale, 'dashboard.audit.fields');
  const names = Object.keys(details).flatMap((key) => fields[key] ?? []);
  return names.length > 0 ? names.join(', ') : null;
}

/** Where a sentence names a role. */
const ROLE_PLACES = new Set(['role', 'from', 'to']);

/**
 * What somebody did, in plain words; an action without words stands by its name, and so does an
 * entry without a detail that its sentence has a place for.
 *
 * @param named what a name that somebody chose becomes within a sentence, e.g. on a screen
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
