import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import {
  ChoiceField,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import { SearchBox } from '../../../_shared/lists/search-box.tsx';
import { ENDPOINT_CHOICES, OUTCOME_CHOICES, type RequestQuery } from './request-query.ts';

type Props = { locale: Locale; query: RequestQuery; path: string };

/** The filters except the text, which stands in its box. */
function filtersOf({ locale, query: { outcome, endpoint } }: Props): FilterInWords<RequestQuery>[] {
  const t = translatorOf(locale, 'dashboard.developers');
  return [
    {
      name: 'outcome',
      label: t('outcome'),
      text: outcome && t(`outcomes.${outcome}`),
    },
    { name: 'endpoint', label: t('endpoint'), text: endpoint },
  ];
}

/** The search and the filters of the requests. */
export function RequestFilters(props: Props) {
  const { locale, query, path } = props;
  const t = translatorOf(locale, 'dashboard.developers');
  return (
    <ListFilters
      locale={locale}
      path={path}
      query={query}
      filters={filtersOf(props)}
      search={
        <SearchBox
          label={t('searchHint')}
          hint={t('searchHint')}
          value={query.q}
          button={t('search')}
        />
      }
    >
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <ChoiceField
          name="outcome"
          label={t('outcome')}
          value={query.outcome}
          any={t('anyOutcome')}
          choices={OUTCOME_CHOICES.map((value) => ({ value, text: t(`outcomes.${value}`) }))}
        />
        <ChoiceField
          name="endpoint"
          label={t('endpoint')}
          value={query.endpoint}
          any={t('anyEndpoint')}
          choices={ENDPOINT_CHOICES.map((value) => ({ value, text: value }))}
        />
      </div>
    </ListFilters>
  );
}
