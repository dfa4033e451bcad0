import type { ReactNode } from 'react';
import { CrossIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { CheckedInput } from '../forms/checked-input.tsx';
import { FormField, INPUT } from '../forms/form-field.tsx';
import { Unfold } from '../unfold.tsx';
import { ListForm } from './list-form.tsx';
import { queryString } from './query-text.ts';

/** A filter and its value in words; `''` if it is not set. */
export type FilterInWords<Query> = { name: keyof Query & string; label: string; text: string };

/** The two days of the `DayFields`. */
export function daysInWords(
  query: { from: string; to: string },
  locale: Locale,
): FilterInWords<typeof query>[] {
  const t = translatorOf(locale, 'dashboard.filters');
  const format = dateFormat(propertiesOf(locale).dateTag, { dateStyle: 'medium', timeZone: 'UTC' });
  return (['from', 'to'] as const).map((name) => ({
    name,
    label: t(name),
    text: query[name] && format.format(Date.parse(`${query[name]}T00:00:00Z`)),
  }));
}

/** A filter with choices; `any` stands for no filter. */
export function ChoiceField({
  name,
  label,
  value,
  any,
  choices,
}: {
  name: string;
  label: string;
  value: string;
  any: string;
  choices: readonly { value: string; text: string }[];
}) {
  return (
    <FormField id={name} label={label}>
      <select id={name} name={name} defaultValue={value} className={INPUT}>
        <option value="">{any}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </FormField>
  );
}

/** The first and the last day of a list. */
export function DayFields({
  locale,
  query,
}: {
  locale: Locale;
  query: { from: string; to: string };
}) {
  const t = translatorOf(locale, 'dashboard.filters');
  return (['from', 'to'] as const).map((name) => (
    <FormField key={name} id={name} label={t(name)}>
      <CheckedInput id={name} name={name} type="date" defaultValue={query[name]} />
    </FormField>
  ));
}

/**
 * A list's filters, folded away so that they do not push the results off a phone's screen. Each
 * active filter stands there as a link to the list without it.
 */
export function ListFilters<Query extends Record<string, string>>({
  locale,
  path,
  unfiltered = path,
  query,
  filters,
  usual,
  search,
  children,
}: {
  locale: Locale;
  path: string;
  /** The list without any filter, if its address still has parameters. */
  unfiltered?: string;
  query: Query;
  filters: FilterInWords<Query>[];
  /** The same as in `ListForm`. */
  usual?: string;
  /** The content above the fold. */
  search?: ReactNode;
  children: ReactNode;
}) {
  const t = translatorOf(locale, 'dashboard.filters');
  const set = filters.filter(({ text }) => text !== '');
  return (
    <ListForm
      path={path}
      usual={usual}
      className="mb-4 grid grid-cols-1 gap-3"
      key={JSON.stringify(query)}
    >
      {search}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <details className="open:w-full">
          <Unfold>{t('open')}</Unfold>
          {children}
          <button type="submit" className="button button-primary button-compact mt-3">
            {t('apply')}
          </button>
        </details>
        {set.length > 0 && (
          <ul aria-label={t('set')} className="flex min-w-0 flex-wrap gap-2 text-sm">
            {set.map(({ name, label, text }) => (
              <li key={name} className="min-w-0">
                <a
                  href={path + queryString({ ...query, [name]: '' })}
                  className="flex items-center gap-1.5 rounded-full border border-line bg-surface py-1 pointer-coarse:py-2 pr-2 pl-3 hover:border-control"
                >
                  <span className="sr-only">{t('remove')}</span>
                  <span className="min-w-0 truncate">
                    <span className="text-muted">{label}:</span> {text}
                  </span>
                  <CrossIcon className="size-3.5 shrink-0 text-muted" />
                </a>
              </li>
            ))}
          </ul>
        )}
        {set.length > 1 && (
          <a href={unfiltered} className="link-quiet py-1 pointer-coarse:py-2 text-sm">
            {t('clear')}
          </a>
        )}
      </div>
    </ListForm>
  );
}
