import type { AuditMessages } from '../../../_i18n/audit-en.ts';
import { actionName, actorName } from '../../../_i18n/audit-words.ts';
import type { DashboardMessages } from '../../../_i18n/en.ts';
import type { DashboardLocale } from '../../../_i18n/messages.ts';
import {
  ChoiceField,
  DayFields,
  daysInWords,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import type { AuditChoices, AuditQuery } from './audit-query.ts';

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
  const filters: FilterInWords<AuditQuery>[] = [
    { name: 'person', label: t.person, text: person?.text ?? '' },
    { name: 'action', label: t.action, text: query.action && actionName(query.action, t) },
    ...daysInWords(query, common, locale),
  ];
  return (
    <ListFilters t={common} path={path} query={query} filters={filters}>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3">
        <ChoiceField
          name="person"
          label={t.person}
          value={query.person}
          any={t.everybody}
          choices={people.map(({ id, text }) => ({ value: id, text }))}
        />
        <ChoiceField
          name="action"
          label={t.action}
          value={query.action}
          any={t.anything}
          choices={choices.actions.map((value) => ({ value, text: actionName(value, t) }))}
        />
        <DayFields t={common} query={query} />
      </div>
    </ListFilters>
  );
}
