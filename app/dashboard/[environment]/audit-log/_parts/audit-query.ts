import {
  daysInZone,
  oneOf,
  queryDays,
  queryText,
  type SearchParams,
} from '../../../_shared/lists/query-text.ts';

/** The filters as the address and the form hold them: texts, `''` for none. */
export type AuditQuery = { person: string; action: string; from: string; to: string };

/** The people and actions to filter by, beside the gateway itself. */
export type AuditChoices = { people: { id: string; name: string }[]; actions: string[] };

/** Reads the address; a value that is not among the choices counts as no filter. */
export function readAuditQuery(search: SearchParams, choices: AuditChoices): AuditQuery {
  const people = ['gateway', ...choices.people.map(({ id }) => id)];
  return {
    person: oneOf(people, queryText(search.person)),
    action: oneOf(choices.actions, queryText(search.action)),
    ...queryDays(search),
  };
}

/** The filters as the procedures take them. */
export function toAuditFilter(query: AuditQuery, timeZone: string) {
  return {
    person: query.person || null,
    action: query.action || null,
    ...daysInZone(query, timeZone),
  };
}
