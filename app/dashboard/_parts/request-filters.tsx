import type { DeveloperMessages } from '../_i18n/developers-en.ts';
import { FormField, INPUT } from './form-field.tsx';
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
    <form action={path} key={JSON.stringify(query)} className="mb-4 flex flex-wrap items-end gap-2">
      <SearchBox
        label={t.searchHint}
        hint={t.searchHint}
        value={query.q}
        className="flex-[1_1_14rem]"
      />
      <FormField
        id="outcome"
        label={t.outcome}
        className="min-w-[min(14rem,100%)] flex-1 sm:min-w-0 sm:flex-none"
      >
        <select id="outcome" name="outcome" defaultValue={query.outcome} className={INPUT}>
          <option value="">{t.anyOutcome}</option>
          {OUTCOME_CHOICES.map((each) => (
            <option key={each} value={each}>
              {t.outcomes[each]}
            </option>
          ))}
        </select>
      </FormField>
      <FormField
        id="endpoint"
        label={t.endpoint}
        className="min-w-[min(14rem,100%)] flex-1 sm:min-w-0 sm:flex-none"
      >
        <select id="endpoint" name="endpoint" defaultValue={query.endpoint} className={INPUT}>
          <option value="">{t.anyEndpoint}</option>
          {ENDPOINT_CHOICES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </FormField>
      <button type="submit" className="button button-plain button-compact">
        {t.search}
      </button>
    </form>
  );
}
