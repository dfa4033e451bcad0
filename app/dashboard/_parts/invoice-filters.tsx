import { INVOICE_STATUSES } from '#server/invoices/types.ts';
import { CURRENCIES } from '#server/lib/money.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import type { WorkMessages } from '../_i18n/work-en.ts';
import { FilterFold } from './filter-fold.tsx';
import { FormField, INPUT } from './form-field.tsx';
import { AMOUNT_PATTERN, COLUMNS, columnsOf, type InvoiceQuery } from './invoice-query.ts';
import { hasAny } from './query-text.ts';
import { SearchBox } from './search-box.tsx';

function Select({
  name,
  value,
  any,
  choices,
}: {
  name: string;
  value: string;
  any: string;
  choices: { value: string; text: string }[];
}) {
  return (
    <select id={name} name={name} defaultValue={value} className={INPUT}>
      <option value="">{any}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

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

/** A plain form that asks for the same address with other filters: works before any script. */
export function InvoiceFilters({
  t,
  work,
  query,
  path,
}: {
  t: DashboardMessages;
  work: WorkMessages['list'];
  query: InvoiceQuery;
  path: string;
}) {
  const words = t.invoices;
  const entries = (names: Record<string, string>) =>
    Object.entries(names).map(([value, text]) => ({ value, text }));
  const { q, ...others } = query;
  return (
    <form action={path} className="mb-4 grid gap-3" key={JSON.stringify(query)}>
      <div className="flex gap-2">
        <SearchBox label={words.search} hint={words.searchHint} value={q} className="flex-1" />
        <button type="submit" className="button button-plain button-compact">
          {words.search}
        </button>
      </div>
      <FilterFold t={words} isOpen={hasAny(others)} path={path}>
        <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
          <FormField id="status" label={words.status}>
            <Select
              name="status"
              value={query.status}
              any={words.any}
              choices={INVOICE_STATUSES.map((each) => ({ value: each, text: t.statuses[each] }))}
            />
          </FormField>
          <FormField id="currency" label={words.currency}>
            <Select
              name="currency"
              value={query.currency}
              any={words.any}
              choices={CURRENCIES.map((each) => ({ value: each, text: each }))}
            />
          </FormField>
          <FormField id="callback" label={words.callback}>
            <Select
              name="callback"
              value={query.callback}
              any={words.any}
              choices={entries(t.callbackStates)}
            />
          </FormField>
          <span />
          <FormField id="from" label={words.from}>
            <input id="from" name="from" type="date" defaultValue={query.from} className={INPUT} />
          </FormField>
          <FormField id="to" label={words.to}>
            <input id="to" name="to" type="date" defaultValue={query.to} className={INPUT} />
          </FormField>
          <FormField id="min" label={words.minAmount}>
            <input
              id="min"
              name="min"
              inputMode="decimal"
              pattern={AMOUNT_PATTERN}
              title={work.amountHint}
              defaultValue={query.min}
              className={INPUT}
            />
          </FormField>
          <FormField id="max" label={words.maxAmount}>
            <input
              id="max"
              name="max"
              inputMode="decimal"
              pattern={AMOUNT_PATTERN}
              title={work.amountHint}
              defaultValue={query.max}
              className={INPUT}
            />
          </FormField>
        </div>
        <ColumnChoice t={words} work={work} query={query} />
      </FilterFold>
    </form>
  );
}
