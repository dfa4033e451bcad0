import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { actionName, actorName } from '../../../_shared/audit-words.ts';
import { daysFilter, ListFilters } from '../../../_shared/lists/list-filters.tsx';
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
  return (
    <ListFilters
      locale={locale}
      path={path}
      query={query}
      filters={[
        {
          name: 'person',
          label: t('person'),
          unset: t('everybody'),
          choices: people.map(({ id, text }) => ({ value: id, text })),
        },
        {
          name: 'action',
          label: t('action'),
          unset: t('anything'),
          choices: choices.actions.map((value) => ({ value, text: actionName(value, locale) })),
        },
        daysFilter(query, locale),
      ]}
    />
  );
}
