import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { ListFilters } from '../../../_shared/lists/list-filters.tsx';
import { SearchBox } from '../../../_shared/lists/search-box.tsx';
import { ENDPOINT_CHOICES, OUTCOME_CHOICES, type RequestQuery } from './request-query.ts';

type Props = { locale: Locale; query: RequestQuery; path: string };

/** The search and the filters of the requests. */
export function RequestFilters({ locale, query, path }: Props) {
  const t = translatorOf(locale, 'dashboard.developers');
  return (
    <ListFilters
      locale={locale}
      path={path}
      query={query}
      filters={[
        {
          name: 'outcome',
          label: t('outcome'),
          unset: t('anyOutcome'),
          choices: OUTCOME_CHOICES.map((value) => ({ value, text: t(`outcomes.${value}`) })),
        },
        {
          name: 'endpoint',
          label: t('endpoint'),
          unset: t('anyEndpoint'),
          choices: ENDPOINT_CHOICES.map((value) => ({ value, text: value })),
        },
      ]}
      search={
        <SearchBox
          label={t('searchHint')}
          hint={t('searchHint')}
          value={query.q}
          button={t('search')}
        />
      }
    />
  );
}
