import type { ReactNode } from 'react';
import { SearchIcon } from '#app/_ui/icons.tsx';
import { INVOICE_STATUSES, MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { CURRENCIES } from '#server/lib/money.ts';
import type { DashboardMessages } from '../_i18n/en.ts';
import type { WorkMessages } from '../_i18n/work-en.ts';
import { AMOUNT_PATTERN, COLUMNS, columnsOf, type InvoiceQuery } from './invoice-query.ts';
import { hasAny } from './query-text.ts';

const INPUT = 'field-input !min-h-10 !py-1.5 !text-base';

function Field({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium text-muted text-sm">
        {label}
      </label>
      {children}
    </div>
  );
}

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
  const isNarrowed = hasAny(others);
  return (
    <form action={path} className="mb-4 grid gap-3" key={JSON.stringify(query)}>
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <SearchIcon className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-5 text-muted" />
          <input
            type="search"
            name="q"
            id="search"
            defaultValue={q}
            maxLength={MAX_SEARCH_LENGTH}
            aria-label={words.search}
            placeholder={words.searchHint}
            className={`${INPUT} !pl-10`}
          />
        </div>
        <button type="submit" className="button button-plain !min-h-10 !py-1">
          {words.search}
        </button>
      </div>
      <details open={isNarrowed}>
        <summary className="inline-block rounded-md py-1 font-medium text-accent text-sm">
          {words.filters}
        </summary>
        <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
          <Field id="status" label={words.status}>
            <Select
              name="status"
              value={query.status}
              any={words.any}
              choices={INVOICE_STATUSES.map((each) => ({ value: each, text: t.statuses[each] }))}
            />
          </Field>
          <Field id="currency" label={words.currency}>
            <Select
              name="currency"
              value={query.currency}
              any={words.any}
              choices={CURRENCIES.map((each) => ({ value: each, text: each }))}
            />
          </Field>
          <Field id="callback" label={words.callback}>
            <Select
              name="callback"
              value={query.callback}
              any={words.any}
              choices={entries(t.callbackStates)}
            />
          </Field>
          <span className="hidden sm:block" />
          <Field id="from" label={words.from}>
            <input id="from" name="from" type="date" defaultValue={query.from} className={INPUT} />
          </Field>
          <Field id="to" label={words.to}>
            <input id="to" name="to" type="date" defaultValue={query.to} className={INPUT} />
          </Field>
          <Field id="min" label={words.minAmount}>
            <input
              id="min"
              name="min"
              inputMode="decimal"
              pattern={AMOUNT_PATTERN}
              title={work.amountHint}
              defaultValue={query.min}
              className={INPUT}
            />
          </Field>
          <Field id="max" label={words.maxAmount}>
            <input
              id="max"
              name="max"
              inputMode="decimal"
              pattern={AMOUNT_PATTERN}
              title={work.amountHint}
              defaultValue={query.max}
              className={INPUT}
            />
          </Field>
        </div>
        <ColumnChoice t={words} work={work} query={query} />
        <div className="mt-3 flex flex-wrap items-center gap-4">
          <button type="submit" className="button button-primary !min-h-10 !py-1">
            {words.apply}
          </button>
          <a href={path} className="link-quiet py-2">
            {words.clear}
          </a>
        </div>
      </details>
    </form>
  );
}
