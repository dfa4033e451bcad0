import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { actionName, actorName } from '../../../_shared/audit-words.ts';
import {
  ChoiceField,
  DayFields,
  daysInWords,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import type { AuditChoices, AuditQuery } from './audit-query.ts';

/** The person and action that the audit log is filtered by. */
export function AuditFilters({
  locale,
  path,
  query,
  choices,
}: {
  locale: Locale;
  path: string;
  query: AuditQuery;
  choices: AuditChoices;
}) {
  const t = translatorOf(locale, 'dashboard.audit');
  const people = [
    ...choices.people.map(({ id, name }) => ({ id, text: actorName(name, locale) })),
    { id: 'gateway', text: t('gateway') },
  ];
  const person = people.find(({ id }) => id === query.person);
  const filters: FilterInWords<AuditQuery>[] = [
    { name: 'person', label: t('person'), text: person?.text ?? '' },
    { name: 'action', label: t('action'), text: query.action && actionName(query.action, locale) },
    ...daysInWords(query, locale),
  ];
  return (
    <ListFilters locale={locale} path={path} query={query} filters={filters}>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-3">
        <ChoiceField
          name="person"
          label={t('person')}
          value={query.person}
          any={t('everybody')}
          choices={people.map(({ id, text }) => ({ value: id, text }))}
        />
        <ChoiceField
          name="action"
          label={t('action')}
          value={query.action}
          any={t('anything')}
          choices={choices.actions.map((value) => ({ value, text: actionName(value, locale) }))}
        />
        <DayFields locale={locale} query={query} />
      </div>
    </ListFilters>
  );
}
