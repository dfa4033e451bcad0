import type { DeveloperMessages } from '../_i18n/developers-en.ts';
import { INPUT } from './form-field.tsx';
import { ENDPOINT_CHOICES, OUTCOME_CHOICES, type RequestQuery } from './request-query.ts';
import { SearchBox } from './search-box.tsx';

/** A plain form that asks for the same address with other filters: works before any script. */
export function RequestFilters({
  t,
  query,
  path,
}: {
  t: DeveloperMessages;
  query: RequestQuery;
  path: string;
}) {
  return (
    <form action={path} key={JSON.stringify(query)} className="mb-4 flex flex-wrap gap-2">
      <SearchBox
        label={t.searchHint}
        hint={t.searchHint}
        value={query.q}
        className="flex-[1_1_14rem]"
      />
      <select
        name="outcome"
        aria-label={t.outcome}
        defaultValue={query.outcome}
        className={`${INPUT} min-w-40 flex-1 sm:!w-auto sm:flex-none`}
      >
        <option value="">
          {t.outcome}: {t.anyOutcome}
        </option>
        {OUTCOME_CHOICES.map((each) => (
          <option key={each} value={each}>
            {t.outcomes[each]}
          </option>
        ))}
      </select>
      <select
        name="endpoint"
        aria-label={t.endpoint}
        defaultValue={query.endpoint}
        className={`${INPUT} min-w-40 flex-1 sm:!w-auto sm:flex-none`}
      >
        <option value="">
          {t.endpoint}: {t.anyEndpoint}
        </option>
        {ENDPOINT_CHOICES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <button type="submit" className="button button-plain button-compact">
        {t.search}
      </button>
    </form>
  );
}
