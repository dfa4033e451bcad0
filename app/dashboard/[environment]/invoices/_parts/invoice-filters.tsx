import { CALLBACK_STATES } from '#server/callbacks/types.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { INVOICE_STATUSES } from '#server/invoices/types.ts';
import type { Locale } from '#server/lib/locales.ts';
import { CURRENCIES } from '#server/lib/money.ts';
import { AmountInput } from '../../../_shared/forms/checked-input.tsx';
import { FormField } from '../../../_shared/forms/form-field.tsx';
import {
  daysFilter,
  type ListFilter,
  ListFilters,
  rangeInWords,
} from '../../../_shared/lists/list-filters.tsx';
import { SearchBox } from '../../../_shared/lists/search-box.tsx';
import { amountInWords, type InvoiceQuery } from './invoice-query.ts';

type Props = {
  locale: Locale;
  query: InvoiceQuery;
  path: string;
  unfiltered: string;
  /** The title of the reusable link that the list is narrowed to. */
  linkTitle: string;
};

function amountFilter(query: InvoiceQuery, locale: Locale): ListFilter<InvoiceQuery> {
  const t = translatorOf(locale, 'dashboard.invoices');
  const [min, max] = [amountInWords(query.min, locale), amountInWords(query.max, locale)];
  return {
    label: t('amount'),
    names: ['min', 'max'],
    text: rangeInWords(min, max, locale),
    fields: [
      { name: 'min' as const, label: t('minAmount') },
      { name: 'max' as const, label: t('maxAmount') },
    ].map(({ name, label }) => (
      <FormField key={name} id={name} label={label}>
        <AmountInput id={name} name={name} title={t('amountHint')} defaultValue={query[name]} />
      </FormField>
    )),
  };
}

/** A list comes to a reusable link from that link's own page. */
function linkFilter(
  { link }: InvoiceQuery,
  text: string,
  locale: Locale,
): ListFilter<InvoiceQuery>[] {
  if (link === '') return [];
  const t = translatorOf(locale, 'dashboard');
  const choices = [{ value: link, text }];
  return [{ name: 'link', label: t('links.one'), unset: t('invoices.any'), choices }];
}

/** The search and the filters of the invoices. */
export function InvoiceFilters({ locale, query, path, unfiltered, linkTitle }: Props) {
  const t = translatorOf(locale, 'dashboard');
  const unset = t('invoices.any');
  return (
    <ListFilters
      locale={locale}
      path={path}
      unfiltered={unfiltered}
      query={query}
      search={
        <SearchBox
          label={t('invoices.search')}
          hint={t('invoices.searchHint')}
          value={query.q}
          button={t('invoices.search')}
        />
      }
      filters={[
        {
          name: 'status',
          label: t('invoices.status'),
          unset,
          choices: INVOICE_STATUSES.map((value) => ({ value, text: t(`statuses.${value}`) })),
        },
        daysFilter(query, locale),
        {
          name: 'by',
          label: t('invoices.by'),
          unset: t('invoices.byCreated'),
          choices: [{ value: 'paid', text: t('invoices.byPaid') }],
        },
        amountFilter(query, locale),
        {
          name: 'currency',
          label: t('invoices.currency'),
          unset,
          choices: CURRENCIES.map((value) => ({ value, text: value })),
        },
        {
          name: 'callback',
          label: t('invoices.callback'),
          unset,
          choices: CALLBACK_STATES.map((value) => ({ value, text: t(`callbackStates.${value}`) })),
        },
        ...linkFilter(query, linkTitle, locale),
      ]}
    />
  );
}
