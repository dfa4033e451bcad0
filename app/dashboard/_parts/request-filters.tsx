import type { DashboardMessages } from '../_i18n/en.ts';
import { FormField, INPUT } from './form-field.tsx';
import { ListFilters, type SetFilter } from './list-filters.tsx';
import { ENDPOINT_CHOICES, OUTCOME_CHOICES, type RequestQuery } from './request-query.ts';
import { SearchBox } from './search-box.tsx';

type Props = { t: DashboardMessages; query: RequestQuery; path: string };

/** The filters that are set, without the text, which stands in its box. */
function setOf({ t, query: { outcome, endpoint } }: Props): SetFilter<RequestQuery>[] {
  const { developers: words } = t;
  const set: SetFilter<RequestQuery>[] = [
    { name: 'outcome', label: words.outcome, text: outcome && words.outcomes[outcome] },
    { name: 'endpoint', label: words.endpoint, text: endpoint },
  ];
  return set.filter(({ text }) => text !== '');
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
      set={setOf(props)}
      search={
        <div className="flex gap-2">
          <SearchBox
            label={words.searchHint}
            hint={words.searchHint}
            value={query.q}
            className="flex-1"
          />
          <button type="submit" className="button button-plain button-compact">
            {words.search}
          </button>
        </div>
      }
    >
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <FormField id="outcome" label={words.outcome}>
          <select id="outcome" name="outcome" defaultValue={query.outcome} className={INPUT}>
            <option value="">{words.anyOutcome}</option>
            {OUTCOME_CHOICES.map((each) => (
              <option key={each} value={each}>
                {words.outcomes[each]}
              </option>
            ))}
          </select>
        </FormField>
        <FormField id="endpoint" label={words.endpoint}>
          <select id="endpoint" name="endpoint" defaultValue={query.endpoint} className={INPUT}>
            <option value="">{words.anyEndpoint}</option>
            {ENDPOINT_CHOICES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </FormField>
      </div>
    </ListFilters>
  );
}
