import { requestLocale } from '#app/_i18n/request-locale.ts';
import type { Role } from '#server/merchants/types.ts';
import type { AuditItem } from '#server/trpc/rows.ts';
import { type AuditMessages, auditEn } from './audit-en.ts';
import { auditRu } from './audit-ru.ts';

/** What the audit log's screen says, in the dashboard's languages. */
export async function auditMessages(): Promise<AuditMessages> {
  return (await requestLocale()) === 'ru' ? auditRu : auditEn;
}

/** An action by its own name, e.g. for a filter: without the details that only an entry has. */
export function actionName(action: string, t: AuditMessages): string {
  return t.actionNames[action] ?? action;
}

/**
 * Who did something, by the name that the log keeps: an address, or of whatever is no person its own,
 * with the account of who gave a command.
 */
export function actorName(label: string, t: AuditMessages): string {
  if (label === 'sandbox token') return t.sandboxToken;
  return label.replace(/^gateway command(?= \(|$)/, t.gateway);
}

/** Which settings an entry keeps, by name; null where it keeps none that has one. */
function fieldNames(details: AuditItem['details'], { fields }: AuditMessages): string | null {
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
  t: AuditMessages,
  roleNames: Record<Role, string>,
  named: (name: string) => string = (name) => name,
): string {
  const details: AuditItem['details'] = { ...kept, fields: fieldNames(kept, t) };
  const names: Record<string, string> = roleNames;
  const sentence = t.actions[action] ?? action;
  const places = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (places.some((name) => (details[name] ?? null) === null)) return actionName(action, t);
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(details[name]);
    if (name === 'name') return named(value);
    return ROLE_PLACES.has(name) && Object.hasOwn(names, value) ? (names[value] ?? value) : value;
  });
}
