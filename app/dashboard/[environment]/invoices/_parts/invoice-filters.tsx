import { CALLBACK_STATES } from '#server/callbacks/types.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { INVOICE_STATUSES } from '#server/invoices/types.ts';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES } from '#server/lib/money.ts';
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

function ColumnChoice({ locale, query }: { locale: Locale; query: InvoiceQuery }) {
  const t = translatorOf(locale, 'dashboard.invoices');
  const chosen = columnsOf(query);
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-medium text-muted text-sm">{t('columns')}</legend>
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
            {t(each)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type Props = { locale: Locale; query: InvoiceQuery; path: string; unfiltered: string };

/** The filters except the text, which stands in its box. */
function filtersOf({ locale, query }: Props): FilterInWords<InvoiceQuery>[] {
  const t = translatorOf(locale, 'dashboard');
  const { status, currency, callback, min, max } = query;
  return [
    { name: 'status', label: t('invoices.status'), text: status && t(`statuses.${status}`) },
    { name: 'currency', label: t('invoices.currency'), text: currency },
    {
      name: 'callback',
      label: t('invoices.callback'),
      text: callback && t(`callbackStates.${callback}`),
    },
    { name: 'min', label: t('invoices.minAmount'), text: amountInWords(min, locale) },
    { name: 'max', label: t('invoices.maxAmount'), text: amountInWords(max, locale) },
    ...daysInWords(query, locale),
  ];
}

/** The search and the filters of the invoices. */
export function InvoiceFilters(props: Props) {
  const { locale, query, path, unfiltered } = props;
  const t = translatorOf(locale, 'dashboard');
  return (
    <ListFilters
      locale={locale}
      path={path}
      unfiltered={unfiltered}
      query={query}
      filters={filtersOf(props)}
      usual={USUAL_COLUMNS.join(',')}
      search={
        <SearchBox
          label={t('invoices.search')}
          hint={t('invoices.searchHint')}
          value={query.q}
          button={t('invoices.search')}
        />
      }
    >
      <div className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-4">
        <ChoiceField
          name="status"
          label={t('invoices.status')}
          value={query.status}
          any={t('invoices.any')}
          choices={INVOICE_STATUSES.map((value) => ({ value, text: t(`statuses.${value}`) }))}
        />
        <ChoiceField
          name="currency"
          label={t('invoices.currency')}
          value={query.currency}
          any={t('invoices.any')}
          choices={CURRENCIES.map((value) => ({ value, text: value }))}
        />
        <ChoiceField
          name="callback"
          label={t('invoices.callback')}
          value={query.callback}
          any={t('invoices.any')}
          choices={CALLBACK_STATES.map((value) => ({ value, text: t(`callbackStates.${value}`) }))}
        />
        <span />
        <DayFields locale={locale} query={query} />
        {(['min', 'max'] as const).map((name) => (
          <FormField key={name} id={name} label={t(`invoices.${name}Amount`)}>
            <AmountInput
              id={name}
              name={name}
              title={t('invoices.amountHint')}
              defaultValue={query[name]}
            />
          </FormField>
        ))}
      </div>
      <ColumnChoice locale={locale} query={query} />
    </ListFilters>
  );
}
