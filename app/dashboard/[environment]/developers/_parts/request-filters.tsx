import type { DashboardMessages } from '../../../_i18n/en.ts';
import {
  ChoiceField,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import { SearchBox } from '../../../_shared/lists/search-box.tsx';
import { ENDPOINT_CHOICES, OUTCOME_CHOICES, type RequestQuery } from './request-query.ts';

type Props = { t: DashboardMessages; query: RequestQuery; path: string };

/** The filters but the text, which stands in its box. */
function filtersOf({ t, query: { outcome, endpoint } }: Props): FilterInWords<RequestQuery>[] {
  const { developers: words } = t;
  return [
    { name: 'outcome', label: words.outcome, text: outcome && words.outcomes[outcome] },
    { name: 'endpoint', label: words.endpoint, text: endpoint },
  ];
}

/** What the requests are searched and narrowed by. */
export function RequestFilters(props: Props) {
  const { t, query, path } = props;
  const words = t.developers;
  return (
    <ListFilters
      t={t.filters}
      path={path}
      query={query}
      filters={filtersOf(props)}
      search={
        <SearchBox
          label={words.searchHint}
          hint={words.searchHint}
          value={query.q}
          button={words.search}
        />
      }
    >
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <ChoiceField
          name="outcome"
          label={words.outcome}
          value={query.outcome}
          any={words.anyOutcome}
          choices={OUTCOME_CHOICES.map((value) => ({ value, text: words.outcomes[value] }))}
        />
        <ChoiceField
          name="endpoint"
          label={words.endpoint}
          value={query.endpoint}
          any={words.anyEndpoint}
          choices={ENDPOINT_CHOICES.map((value) => ({ value, text: value }))}
        />
      </div>
    </ListFilters>
  );
}
