import type { ReactNode } from 'react';
import { CheckIcon, ChevronIcon, CrossIcon, PlusIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { dateFormat } from '#server/lib/formats.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import { CheckedInput } from '../forms/checked-input.tsx';
import { FormField } from '../forms/form-field.tsx';
import { ListForm } from './list-form.tsx';
import { queryString } from './query-text.ts';

type Named<Query> = keyof Query & string;

/** A filter with choices, of which each is a link; or with fields, and their values in words. */
export type ListFilter<Query> =
  | {
      label: string;
      name: Named<Query>;
      /** The words for no choice. */
      unset: string;
      choices: readonly { value: string; text: string }[];
    }
  | {
      label: string;
      names: readonly Named<Query>[];
      /** `''` if none is set. */
      text: string;
      fields: ReactNode;
    };

/** Two bounds in words, either of which may be missing: `''`. */
export function rangeInWords(from: string, to: string, locale: Locale): string {
  const t = translatorOf(locale, 'dashboard.filters');
  if (from !== '' && to !== '') return from === to ? from : `${from} – ${to}`;
  if (from !== '') return t('since', { from });
  return to && t('until', { to });
}

/** The first and the last day of a list. */
export function daysFilter<Query extends { from: string; to: string }>(
  { from, to }: Query,
  locale: Locale,
): ListFilter<Query> {
  const t = translatorOf(locale, 'dashboard.filters');
  const format = dateFormat(propertiesOf(locale).dateTag, { dateStyle: 'medium', timeZone: 'UTC' });
  const inWords = (day: string) => day && format.format(Date.parse(`${day}T00:00:00Z`));
  const days = { from, to };
  return {
    label: t('days'),
    names: ['from', 'to'],
    text: rangeInWords(inWords(from), inWords(to), locale),
    fields: (['from', 'to'] as const).map((name) => (
      <FormField key={name} id={name} label={t(name)}>
        <CheckedInput id={name} name={name} type="date" defaultValue={days[name]} />
      </FormField>
    )),
  };
}

/** The names of a filter's values in the address. */
function namesOf<Query>(filter: ListFilter<Query>): readonly Named<Query>[] {
  return 'name' in filter ? [filter.name] : filter.names;
}

/** A filter's value in words; `''` if it is not set. */
function textOf<Query extends Record<string, string>>(
  filter: ListFilter<Query>,
  query: Query,
): string {
  if (!('name' in filter)) return filter.text;
  const { choices, name } = filter;
  return choices.find(({ value }) => value !== '' && value === query[name])?.text ?? '';
}

function without<Query extends Record<string, string>>(
  query: Query,
  filter: ListFilter<Query>,
): Query {
  return { ...query, ...Object.fromEntries(namesOf(filter).map((name) => [name, ''])) };
}

type Shown<Query> = { locale: Locale; path: string; query: Query };

/** The choices as links; the chosen one travels along when the form is sent for another filter. */
function Choices<Query extends Record<string, string>>({
  path,
  query,
  filter: { name, unset, choices },
}: Shown<Query> & { filter: Extract<ListFilter<Query>, { name: unknown }> }) {
  const chosen = query[name];
  return (
    <>
      {chosen !== '' && <input type="hidden" name={name} value={chosen} />}
      <ul className="-mx-2 grid">
        {[{ value: '', text: unset }, ...choices].map(({ value, text }) => (
          <li key={value}>
            <a
              href={path + queryString({ ...query, [name]: value })}
              aria-current={value === chosen ? 'true' : undefined}
              className="flex min-h-9 items-center justify-between gap-3 rounded-lg px-2 text-[0.9375rem] hover:bg-sunk pointer-coarse:min-h-11 [overflow-wrap:anywhere]"
            >
              {text}
              {value === chosen && <CheckIcon className="size-4 shrink-0 text-accent" />}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const PILL =
  'inline-flex min-h-8 items-center whitespace-nowrap rounded-full border text-sm pointer-coarse:min-h-11';
const PRESSED = 'inline-flex items-center gap-1 self-stretch outline-offset-0';

/** A filter's pill, and the fields that it opens. */
function Pill<Query extends Record<string, string>>({
  filter,
  ...shown
}: Shown<Query> & { filter: ListFilter<Query> }) {
  const { locale, path, query } = shown;
  const t = translatorOf(locale, 'dashboard.filters');
  const text = textOf(filter, query);
  const { label } = filter;
  const id = `filter-${namesOf(filter).join('-')}`;
  const isSet = text !== '';
  return (
    <li className="min-w-0 shrink-0 [anchor-scope:--pill] sm:shrink">
      <div
        className={`${PILL} max-w-full [anchor-name:--pill] ${
          isSet ? 'border-control bg-surface' : 'border-control border-dashed'
        }`}
      >
        <button
          type="button"
          popoverTarget={id}
          aria-haspopup="dialog"
          className={`${PRESSED} min-w-0 rounded-full ${
            isSet ? 'pr-1 pl-3' : 'pr-3 pl-2 text-muted hover:text-ink'
          }`}
        >
          {isSet ? (
            <>
              <span className="min-w-0 truncate max-sm:max-w-60">
                <span className="text-muted">{label}:</span>{' '}
                <span className="font-medium">{text}</span>
              </span>
              <ChevronIcon className="size-4 shrink-0 text-muted" />
            </>
          ) : (
            <>
              <PlusIcon className="size-3.5 shrink-0" />
              <span className="sr-only">{t('add')} </span>
              {label}
            </>
          )}
        </button>
        {isSet && (
          <a
            href={path + queryString(without(query, filter))}
            className={`${PRESSED} rounded-r-full border-line border-l pr-2.5 pl-1.5 text-muted hover:text-ink pointer-coarse:px-3`}
          >
            <span className="sr-only">
              {t('remove')} {label}
            </span>
            <CrossIcon className="size-3.5 shrink-0" />
          </a>
        )}
      </div>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className="card pill-sheet p-4 text-ink"
      >
        <p className="mb-2 font-semibold text-sm">{label}</p>
        {'name' in filter ? (
          <Choices {...shown} filter={filter} />
        ) : (
          <div className="grid gap-3">
            {filter.fields}
            <button type="submit" className="button button-primary button-compact">
              {t('apply')}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

/**
 * A list's filters, each a pill: one that is set says its value and can be taken away, any other
 * adds itself. A pill opens its choices or fields.
 */
export function ListFilters<Query extends Record<string, string>>({
  unfiltered,
  filters,
  search,
  ...shown
}: Shown<Query> & {
  /** The list without any filter, if its address still has parameters. */
  unfiltered?: string;
  filters: ListFilter<Query>[];
  /** The box of the text, called `q`, above the pills. */
  search?: ReactNode;
}) {
  const { locale, path, query } = shown;
  const t = translatorOf(locale, 'dashboard.filters');
  const isSet = (filter: ListFilter<Query>) => textOf(filter, query) !== '';
  const set = filters.filter(isSet);
  // A phone shows the first ones only, until it is scrolled.
  const pills = [...set, ...filters.filter((filter) => !isSet(filter))];
  const named = [...filters.flatMap(namesOf), 'q'];
  const others = Object.entries(query).filter(
    ([name, value]) => value !== '' && !named.includes(name),
  );
  return (
    <ListForm
      path={path}
      className="mb-2 grid grid-cols-1 gap-2"
      // Fields and open pills are those of the query before.
      key={JSON.stringify(query)}
    >
      {others.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {search}
      <div className="relative -mx-4 flex min-w-0 max-sm:edge-fade items-center gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0">
        <ul aria-label={t('title')} className="contents">
          {pills.map((filter) => (
            <Pill key={namesOf(filter).join()} {...shown} filter={filter} />
          ))}
        </ul>
        {set.length > 1 && (
          <a
            href={unfiltered ?? path}
            className="link-quiet shrink-0 py-1 pointer-coarse:py-2.5 text-sm"
          >
            {t('clear')}
          </a>
        )}
      </div>
    </ListForm>
  );
}
