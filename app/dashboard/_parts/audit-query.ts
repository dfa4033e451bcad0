import { queryDays, queryText, type SearchParams } from './query-text.ts';
import { startOfDay } from './zone-days.ts';

/** The filters as they stand in the address and in the form: texts, `''` for none. */
export type AuditQuery = { person: string; action: string; from: string; to: string };

/** Who and what the log can be narrowed to, beside the gateway itself. */
export type AuditChoices = { people: { id: string; name: string }[]; actions: string[] };

/** Reads the address; what is none of the choices counts as no filter. */
export function readAuditQuery(search: SearchParams, choices: AuditChoices): AuditQuery {
  const people = ['gateway', ...choices.people.map(({ id }) => id)];
  const oneOf = (known: string[], value: string): string => (known.includes(value) ? value : '');
  return {
    person: oneOf(people, queryText(search.person)),
    action: oneOf(choices.actions, queryText(search.action)),
    ...queryDays(search),
  };
}

/** The address of the log with these filters; empty ones are left out. */
export function auditQueryString(query: AuditQuery, more: Record<string, string> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...more })) {
    if (value !== '') search.set(name, value);
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The filters as the procedures take them; days begin and end in the viewer's zone. */
export function toAuditFilter(query: AuditQuery, timeZone: string) {
  return {
    person: query.person || null,
    action: query.action || null,
    fromMs: query.from === '' ? null : startOfDay(query.from, 0, timeZone),
    untilMs: query.to === '' ? null : startOfDay(query.to, 1, timeZone),
  };
}
