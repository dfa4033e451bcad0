import type { AuditMessages } from '../_i18n/audit-en.ts';
import { actionName, actorName } from '../_i18n/audit-words.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import type { AuditChoices, AuditQuery } from './audit-query.ts';
import { FormField, INPUT } from './form-field.tsx';
import { DayFields, ListFilters, type SetFilter, setDays } from './list-filters.tsx';

/** Whom and what the audit log is narrowed to. */
export function AuditFilters({
  t,
  common,
  locale,
  path,
  query,
  choices,
}: {
  t: AuditMessages;
  common: DashboardMessages['filters'];
  locale: DashboardLocale;
  path: string;
  query: AuditQuery;
  choices: AuditChoices;
}) {
  const people = [
    ...choices.people.map(({ id, name }) => ({ id, text: actorName(name, t) })),
    { id: 'gateway', text: t.gateway },
  ];
  const person = people.find(({ id }) => id === query.person);
  const set: SetFilter<AuditQuery>[] = [
    { name: 'person', label: t.person, text: person?.text ?? '' },
    { name: 'action', label: t.action, text: query.action && actionName(query.action, t) },
  ];
  return (
    <ListFilters
      t={common}
      path={path}
      query={query}
      set={[...set.filter(({ text }) => text !== ''), ...setDays(query, common, locale)]}
    >
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3">
        <FormField id="person" label={t.person}>
          <select id="person" name="person" defaultValue={query.person} className={INPUT}>
            <option value="">{t.everybody}</option>
            {people.map(({ id, text }) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </select>
        </FormField>
        <FormField id="action" label={t.action}>
          <select id="action" name="action" defaultValue={query.action} className={INPUT}>
            <option value="">{t.anything}</option>
            {choices.actions.map((action) => (
              <option key={action} value={action}>
                {actionName(action, t)}
              </option>
            ))}
          </select>
        </FormField>
        <DayFields t={common} query={query} />
      </div>
    </ListFilters>
  );
}
