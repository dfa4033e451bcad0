import { CALLBACK_STATES } from '#server/callbacks/types.ts';
import { INVOICE_STATUSES } from '#server/invoices/types.ts';
import { CURRENCIES } from '#server/lib/money.ts';
import type { DashboardMessages } from '../../../_i18n/en.ts';
import type { DashboardLocale } from '../../../_i18n/messages.ts';
import type { WorkMessages } from '../../../_i18n/work-en.ts';
import { AmountInput } from '../../../_shared/forms/checked-input.tsx';
import { FormField } from '../../../_shared/forms/form-field.tsx';
import {
  ChoiceField,
  DayFields,
  daysInWords,
  type FilterInWords,
  ListFilters,
} from '../../../_shared/lists/list-filters.tsx';
import { SearchBox } from '../../../_shared/lists/search-box.tsx';
import {
  amountInWords,
  COLUMNS,
  columnsOf,
  type InvoiceQuery,
  USUAL_COLUMNS,
} from './invoice-query.ts';

function ColumnChoice({
  t,
  work,
  query,
}: {
  t: DashboardMessages['invoices'];
  work: WorkMessages['list'];
  query: InvoiceQuery;
}) {
  const names = { ...t, ...work };
  const chosen = columnsOf(query);
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-medium text-muted text-sm">{work.columns}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem]">
        {COLUMNS.map((each) => (
          <label key={each} className="flex items-center gap-2 py-1">
            <input
              type="checkbox"
              name="columns"
              value={each}
              defaultChecked={chosen.includes(each)}
              className="size-4"
            />
            {names[each]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Props = {
  t: DashboardMessages;
  work: WorkMessages['list'];
  locale: DashboardLocale;
  query: InvoiceQuery;
  path: string;
  unfiltered: string;
};

/** The filters but the text, which stands in its box. */
function filtersOf({ t, locale, query }: Props): FilterInWords<InvoiceQuery>[] {
  const { status, currency, callback, min, max } = query;
  const words = t.invoices;
  return [
    { name: 'status', label: words.status, text: status && t.statuses[status] },
    { name: 'currency', label: words.currency, text: currency },
    { name: 'callback', label: words.callback, text: callback && t.callbackStates[callback] },
    { name: 'min', label: words.minAmount, text: amountInWords(min, locale) },
    { name: 'max', label: words.maxAmount, text: amountInWords(max, locale) },
    ...daysInWords(query, t.filters, locale),
  ];
}

/** What the list of invoices is searched and narrowed by. */
export function InvoiceFilters(props: Props) {
  const { t, work, query, path, unfiltered } = props;
  const words = t.invoices;
  return (
    <ListFilters
      t={t.filters}
      path={path}
      unfiltered={unfiltered}
      query={query}
      filters={filtersOf(props)}
      usual={USUAL_COLUMNS.join(',')}
      search={
        <SearchBox
          label={words.search}
          hint={words.searchHint}
          value={query.q}
          button={words.search}
        />
      }
    >
      <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
        <ChoiceField
          name="status"
          label={words.status}
          value={query.status}
          any={words.any}
          choices={INVOICE_STATUSES.map((value) => ({ value, text: t.statuses[value] }))}
        />
        <ChoiceField
          name="currency"
          label={words.currency}
          value={query.currency}
          any={words.any}
          choices={CURRENCIES.map((value) => ({ value, text: value }))}
        />
        <ChoiceField
          name="callback"
          label={words.callback}
          value={query.callback}
          any={words.any}
          choices={CALLBACK_STATES.map((value) => ({ value, text: t.callbackStates[value] }))}
        />
        <span />
        <DayFields t={t.filters} query={query} />
        {(['min', 'max'] as const).map((name) => (
          <FormField key={name} id={name} label={words[`${name}Amount`]}>
            <AmountInput id={name} name={name} title={work.amountHint} defaultValue={query[name]} />
          </FormField>
        ))}
      </div>
      <ColumnChoice t={words} work={work} query={query} />
    </ListFilters>
  );
}
